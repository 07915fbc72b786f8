import Usher

/// Shows the greeting until the user taps its button.
final class HelloCoordinator: Coordinator<Void> {
    override func start() {
        push(HelloScreen()) { me, event in
            switch event {
            case .hello: me.finish()
            }
        }
    }
}
