import Usher

/// Signs a guest in, either with an account, or with a new account and its first workspace.
final class LoginCoordinator: Coordinator<Never> {
    private let authentication: Authentication

    init(authentication: Authentication) {
        self.authentication = authentication
    }

    override func start() {
        push(OnboardingScreen()) { me, event in
            switch event {
            case .presentSelectAuth: me.selectAuth()
            }
        }
    }

    private func selectAuth() {
        present(SelectAuthCoordinator(authentication: authentication), as: .sheet) { me, outcome in
            // A user with an account has already left for the home.
            guard case .finished(let name) = outcome else { return }
            me.replace(with: InitialWorkspaceCoordinator(name: name))
        }
    }
}
