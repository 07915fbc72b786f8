import Usher

/// A coordinator from which a user without a workspace can create one.
protocol WorkspaceMaking: AnyCoordinator {}

extension WorkspaceMaking {
    /// Presents the form for a workspace, and opens the workspace once it is created.
    func makeWorkspace() {
        present(MakeWorkspaceScreen(), as: .sheet) { me, event in
            switch event {
            case .made(let workspaceID):
                me.finish(next: TabBarCoordinator.Flow.homeDefault(workspaceID: workspaceID))
            case .close: me.dismiss()
            }
        }
    }
}
