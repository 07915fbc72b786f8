import Usher

/// Lets the user log in, and finishes afterwards.
final class LoginCoordinator: Coordinator<Void> {
    override func start() {
        push(LoginScreen()) { me, event in
            switch event {
            case .login: me.finish()
            }
        }
    }
}
