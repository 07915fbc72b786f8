import Usher

/// Shows the main screen; to edit the profile, the user must log in again.
final class MainCoordinator: Coordinator<Never> {
    override func start() {
        push(MainScreen()) { me, event in
            switch event {
            case .profileEdit: me.logInAgain()
            }
        }
    }

    private func logInAgain() {
        // After the login, or if the user cancels the login, this screen is shown again. In the article that this
        // sample follows, a cancelled login was a dead end.
        start(LoginCoordinator()) { _, _ in }
    }
}
