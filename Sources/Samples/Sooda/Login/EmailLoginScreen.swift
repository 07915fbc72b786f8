import Usher

/// A form for a name and a password.
struct EmailLoginScreen: Screen {
    enum Event: Codable { case logIn(name: String, password: Secret<String>) }
    static let examples: [Event] = [.logIn(name: "kim", password: "usher")]

    /// The failure of the last attempt, for the user.
    var failure: String?
}
