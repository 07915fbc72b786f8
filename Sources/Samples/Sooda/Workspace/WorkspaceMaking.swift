import Usher

/// A coordinator from which a user without a workspace can make one.
protocol WorkspaceMaking: AnyCoordinator {}

extension WorkspaceMaking {
    /// Asks for the workspace, and leaves towards it once it is made.
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
