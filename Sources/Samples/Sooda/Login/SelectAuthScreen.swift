import Usher

/// The ways to sign in.
struct SelectAuthScreen: Screen {
    enum Event: Codable { case presentEmailLogin, presentSignUp, socialLogin(token: String) }
    static let examples: [Event] = [.presentEmailLogin, .presentSignUp, .socialLogin(token: "kim")]

    /// Why the last try failed.
    var failure: String?
}
