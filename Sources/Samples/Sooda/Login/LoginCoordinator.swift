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
            // After a sign-in, the user is already in the home; only a sign-up finishes with a name.
            guard case .finished(let name) = outcome else { return }
            me.replace(with: InitialWorkspaceCoordinator(name: name))
        }
    }
}
