import Usher

/// A form with a name and a password, and a way to the sign-up.
struct LoginScreen: Screen {
    /// The failure of the last attempt, for the user.
    var failure: String?

    enum Event: Codable { case close, showSignUp, login(name: String, password: Secret<String>) }
    static let examples: [Event] = [.close, .showSignUp, .login(name: "kim", password: "usher")]
}
