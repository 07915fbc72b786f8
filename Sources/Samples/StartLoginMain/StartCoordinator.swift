import Usher

/// Welcomes the user, and shows the main screen after the login.
final class StartCoordinator: Coordinator<Never> {
    private var loggedIn: Bool

    init(loggedIn: Bool) {
        self.loggedIn = loggedIn
    }

    override func start() {
        push(StartScreen()) { me, event in
            switch event {
            case .startApp: if me.loggedIn { me.showMain() } else { me.logIn() }
            }
        }
    }

    private func logIn() {
        start(LoginCoordinator()) { me, outcome in
            guard case .finished = outcome else { return }
            me.loggedIn = true
            me.showMain()
        }
    }

    private func showMain() {
        start(MainCoordinator())
    }
}
