import SampleAccounts
import Usher

/// Lets a guest choose how to sign in.
///
/// Finishes with the user's name after a sign-up; after a sign-in, opens the user's home instead.
final class SelectAuthCoordinator: Coordinator<String> {
    private let authentication: Authentication

    init(authentication: Authentication) {
        self.authentication = authentication
    }

    override func start() {
        let viewModel = SelectAuthViewModel(authentication: authentication)
        viewModel.didSendEvent = { [weak self] event in
            switch event {
            case .presentEmailLogin: self?.logInByEmail()
            case .presentSignUp: self?.signUp()
            case .signedIn(let account): self?.goHome(account)
            }
        }
        viewModel.screen = push(SelectAuthScreen(), keeping: viewModel) { viewModel, event in
            viewModel.receive(event)
        }
    }

    private func logInByEmail() {
        let viewModel = EmailLoginViewModel(authentication: authentication)
        viewModel.didSignIn = { [weak self] account in self?.goHome(account) }
        viewModel.screen = present(EmailLoginScreen(), as: .sheet, keeping: viewModel) { viewModel, event in
            viewModel.receive(event)
        }
    }

    private func signUp() {
        present(SignUpScreen(), as: .sheet) { me, event in
            switch event {
            case .signUp(let name):
                try me.authentication.signUp(name: name)
                me.finish(name)
            }
        }
    }

    private func goHome(_ account: Account) {
        if let workspaceID = account.workspaces.first {
            finish(next: TabBarCoordinator.Flow.homeDefault(workspaceID: workspaceID))
        } else {
            finish(next: AppCoordinator.Flow.homeEmpty)
        }
    }
}
