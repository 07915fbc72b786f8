import Usher

extension TabBarCoordinator: FlowHost {
    enum Flow: Codable { case home, chat(id: Int) }
    static let examples: [Flow] = [.home, .chat(id: 1)]

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .home: select(Tab.home)
        case .chat(let id): try showChat(id)
        }
        return nil
    }
}
