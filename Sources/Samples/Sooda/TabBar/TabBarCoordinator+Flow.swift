import Usher

extension TabBarCoordinator: FlowHost {
    enum Flow: Codable { case homeDefault(workspaceID: Int), dm, search, setting }
    static let examples: [Flow] = [.homeDefault(workspaceID: 7), .dm, .search, .setting]

    func open(_ flow: Flow) -> (any FlowHost)? {
        switch flow {
        case .homeDefault(let workspaceID): return showHome(workspaceID)
        case .dm: select(Tab.dm)
        case .search: select(Tab.search)
        case .setting: select(Tab.setting)
        }
        return nil
    }

    private func showHome(_ workspaceID: Int) -> HomeDefaultCoordinator? {
        select(Tab.home)
        let home = child(HomeDefaultCoordinator.self)
        home?.enter(workspaceID)
        return home
    }
}
