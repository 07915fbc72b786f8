// list a value of each flow
import Usher

final class ChatCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable { case chat(id: Int) }
    func open(_ flow: Flow) -> (any FlowHost)? { nil }
}
