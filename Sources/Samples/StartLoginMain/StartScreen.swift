import Usher

/// The first screen, with a button that starts the app.
struct StartScreen: Screen {
    enum Event: Codable, CaseIterable { case startApp }
}
