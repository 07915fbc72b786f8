import Usher

/// Takes a guest in: through one of his accounts, or through a new one and its first workspace.
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
            // One who had an account has left towards his home by now.
            guard case .finished(let name) = outcome else { return }
            me.replace(with: InitialWorkspaceCoordinator(name: name))
        }
    }
}
