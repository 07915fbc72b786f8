import Usher

/// Shows the farewell until the user taps its button.
final class ByeCoordinator: Coordinator<Void> {
    override func start() {
        push(ByeScreen()) { me, event in
            switch event {
            case .bye: me.finish()
            }
        }
    }
}
