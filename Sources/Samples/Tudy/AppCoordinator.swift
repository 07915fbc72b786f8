import Usher

/// Sets the window's root: the tabs, and after a logout new tabs for a guest.
final class AppCoordinator: Coordinator<Never> {
    private let user: User?

    init(user: User?) {
        self.user = user
    }

    override func start() {
        showTabs(for: user)
    }

    private func showTabs(for user: User?) {
        replace(with: TabBarCoordinator(user: user)) { me, _ in me.showTabs(for: nil) }
    }
}

extension AppCoordinator: FlowHost {
    enum Flow: Codable, CaseIterable { case tabBar }

    func open(_ flow: Flow) -> (any FlowHost)? {
        switch flow {
        case .tabBar: child(TabBarCoordinator.self)
        }
    }
}
