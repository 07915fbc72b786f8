import Usher

/// Says hello until the user does.
final class HelloCoordinator: Coordinator<Void> {
    override func start() {
        push(HelloScreen()) { me, event in
            switch event {
            case .hello: me.finish()
            }
        }
    }
}
