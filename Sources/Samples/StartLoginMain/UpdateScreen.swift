import Usher

/// Asks the user to update the app on his phone, which cannot draw a screen.
struct UpdateScreen: Screen {
    /// The name of that screen.
    let missing: String
}
