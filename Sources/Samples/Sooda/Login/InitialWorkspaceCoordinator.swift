import Usher

/// Leads a new user to a first workspace, or to a home without one.
final class InitialWorkspaceCoordinator: Coordinator<Never>, WorkspaceMaking {
    private let name: String

    init(name: String) {
        self.name = name
    }

    override func start() {
        push(InitialWorkspaceScreen(name: name)) { me, event in
            switch event {
            case .presentMakeWorkspace: me.makeWorkspace()
            case .later: me.finish(next: AppCoordinator.Flow.homeEmpty)
            }
        }
    }
}
