import Usher

/// Shows the main screen; changing the profile asks for the login again.
final class MainCoordinator: Coordinator<Never> {
    override func start() {
        push(MainScreen()) { me, event in
            switch event {
            case .profileEdit: me.logInAgain()
            }
        }
    }

    private func logInAgain() {
        // Done or given up, the login's screen is gone and this one is back: the article's dead end, mended.
        start(LoginCoordinator()) { _, _ in }
    }
}
