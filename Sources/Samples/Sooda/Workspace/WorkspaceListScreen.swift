import Usher

/// The user's workspaces.
struct WorkspaceListScreen: Screen {
    enum Event: Codable { case choose(workspaceID: Int), askToLeave, close }
    static let examples: [Event] = [.choose(workspaceID: 11), .askToLeave, .close]

    let current: Int?
}
