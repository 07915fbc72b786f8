import SampleAccounts
import Usher

/// Signs in with a name and a password.
final class EmailLoginViewModel {
    var didSignIn: ((Account) -> Void)?
    var screen: Handle<EmailLoginScreen>?
    private let authentication: Authentication

    init(authentication: Authentication) {
        self.authentication = authentication
    }

    func receive(_ event: EmailLoginScreen.Event) {
        switch event {
        case .logIn(let name, let password): signIn(SignIn(name: name, password: password))
        }
    }

    private func signIn(_ signIn: SignIn) {
        screen?.update { $0.failure = nil }
        screen?.perform(signIn, for: self) { viewModel, result in viewModel.receive(result) }
    }

    private func receive(_ result: Result<Account, EffectFailure>) {
        switch result {
        case .success(let account):
            authentication.didSignIn()
            didSignIn?(account)
        case .failure(let failure): screen?.update { $0.failure = failure.message }
        }
    }
}
