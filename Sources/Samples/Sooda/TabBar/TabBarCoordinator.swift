import Usher

/// Shows a workspace in tabs.
final class TabBarCoordinator: Coordinator<Never> {
    enum Tab: String, CaseIterable { case home, dm, search, setting }

    private let workspaceID: Int
    private let authentication: Authentication

    init(workspaceID: Int, authentication: Authentication) {
        self.workspaceID = workspaceID
        self.authentication = authentication
    }

    override func start() {
        tabs(Tab.self, selected: .home) { me, tab in
            switch tab {
            case .home: HomeDefaultCoordinator(workspaceID: me.workspaceID, authentication: me.authentication)
            case .dm: DMCoordinator()
            case .search: SearchCoordinator()
            case .setting: SettingCoordinator()
            }
        }
    }
}
