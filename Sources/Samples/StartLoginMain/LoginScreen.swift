import Usher

/// A form with a button that logs in.
struct LoginScreen: Screen {
    enum Event: Codable, CaseIterable { case login }
}
