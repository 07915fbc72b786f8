import Usher

/// A form for a new workspace.
struct MakeWorkspaceScreen: Screen {
    enum Event: Codable { case made(workspaceID: Int), close }
    static let examples: [Event] = [.made(workspaceID: 8), .close]
}
