/// The way that the splash leads.
enum Launch: Codable, Sendable {
    /// To the onboarding: nobody is signed in.
    case login
    /// To a workspace of the user who was signed in when the app was closed.
    case home(workspaceID: Int)
    /// To the home of such a user who has no workspace.
    case empty

    var isSignedIn: Bool {
        switch self {
        case .login: false
        case .home, .empty: true
        }
    }
}
