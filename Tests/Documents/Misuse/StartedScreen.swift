// a screen is pushed, not started
import Usher

struct CloseScreen: Screen {
    enum Event: Codable, CaseIterable { case close }
}

final class ClosingCoordinator: Coordinator<Never> {
    override func start() { start(CloseScreen()) { me, event in me.cancel() } }
}
