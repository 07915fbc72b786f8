/// The place to which the splash leads.
enum Launch: Codable, Sendable {
    /// The onboarding: no user is signed in.
    case login
    /// A workspace: the user was signed in when the app was closed.
    case home(workspaceID: Int)
    /// The home without a workspace: the user was signed in, and is a member of none.
    case empty

    var isSignedIn: Bool {
        switch self {
        case .login: false
        case .home, .empty: true
        }
    }
}
