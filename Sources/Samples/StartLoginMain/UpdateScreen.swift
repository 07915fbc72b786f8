import Usher

/// Asks the user to update the app, which cannot draw a screen.
struct UpdateScreen: Screen {
    /// The name of the screen that the app cannot draw.
    let missing: String
}
