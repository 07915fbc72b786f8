import Usher

/// Says bye until the user does.
final class ByeCoordinator: Coordinator<Void> {
    override func start() {
        push(ByeScreen()) { me, event in
            switch event {
            case .bye: me.finish()
            }
        }
    }
}
