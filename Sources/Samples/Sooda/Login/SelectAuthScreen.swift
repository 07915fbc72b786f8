import Usher

/// The ways to sign in.
struct SelectAuthScreen: Screen {
    enum Event: Codable { case presentEmailLogin, presentSignUp, socialLogin(token: String) }
    static let examples: [Event] = [.presentEmailLogin, .presentSignUp, .socialLogin(token: "kim")]

    /// The failure of the last attempt, for the user.
    var failure: String?
}
