import Usher

/// Asks a new user to make his first workspace.
struct InitialWorkspaceScreen: Screen {
    enum Event: Codable, CaseIterable { case presentMakeWorkspace, later }

    let name: String
}
