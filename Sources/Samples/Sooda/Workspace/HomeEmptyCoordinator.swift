import Usher

/// The home of a user without a workspace.
final class HomeEmptyCoordinator: Coordinator<Never>, WorkspaceMaking {
    override func start() {
        push(HomeEmptyScreen()) { me, event in
            switch event {
            case .presentMakeWorkspace: me.makeWorkspace()
            case .presentWorkspaceList: me.listWorkspaces()
            }
        }
    }

    private func listWorkspaces() {
        present(WorkspaceListCoordinator(current: nil), as: .sheet) { me, outcome in
            guard case .finished(let workspaceID) = outcome else { return }
            me.finish(next: TabBarCoordinator.Flow.homeDefault(workspaceID: workspaceID))
        }
    }
}
