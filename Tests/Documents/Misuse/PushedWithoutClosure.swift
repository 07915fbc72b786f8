// push(screen) { me, event in … }
import Usher

struct CloseScreen: Screen {
    enum Event: Codable, CaseIterable { case close }
}

final class ClosingCoordinator: Coordinator<Never> {
    override func start() { push(CloseScreen()) }
}
