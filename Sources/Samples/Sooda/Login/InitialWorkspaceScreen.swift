import Usher

/// Invites a new user to create a first workspace.
struct InitialWorkspaceScreen: Screen {
    enum Event: Codable, CaseIterable { case presentMakeWorkspace, later }

    let name: String
}
