import Usher

/// A form for a new account.
struct SignUpScreen: Screen {
    enum Event: Codable { case signUp(name: String) }
    static let examples: [Event] = [.signUp(name: "park")]
}
