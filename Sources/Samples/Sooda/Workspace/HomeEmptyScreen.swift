import Usher

/// The home of a user without a workspace.
struct HomeEmptyScreen: Screen {
    enum Event: Codable, CaseIterable { case presentMakeWorkspace, presentWorkspaceList }
}
