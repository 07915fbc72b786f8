import Usher

extension HomeDefaultCoordinator: FlowHost {
    enum Flow: Codable { case channel(id: Int, name: String) }
    static let examples: [Flow] = [.channel(id: 3, name: "dev")]

    func open(_ flow: Flow) -> (any FlowHost)? {
        switch flow {
        case .channel(let id, let name): reveal(id: id, name: name)
        }
        return nil
    }

    /// Shows a channel; returns to the channel if it is already open.
    private func reveal(id: Int, name: String) {
        if let chat, chat.screen?.id == id {
            pop(to: chat)
        } else {
            popToRoot()
            showChannel(id: id, name: name)
        }
    }
}
