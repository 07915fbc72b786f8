import SampleAccounts
import Usher

/// The logic of the choice: it signs in with a token, and reports other choices to the coordinator.
final class SelectAuthViewModel {
    enum Event { case presentEmailLogin, presentSignUp, signedIn(Account) }

    var didSendEvent: ((Event) -> Void)?
    var screen: Handle<SelectAuthScreen>?
    private let authentication: Authentication

    init(authentication: Authentication) {
        self.authentication = authentication
    }

    func receive(_ event: SelectAuthScreen.Event) {
        switch event {
        case .presentEmailLogin: didSendEvent?(.presentEmailLogin)
        case .presentSignUp: didSendEvent?(.presentSignUp)
        case .socialLogin(let token): signIn(SocialSignIn(token: token))
        }
    }

    private func signIn(_ signIn: SocialSignIn) {
        screen?.update { $0.failure = nil }
        screen?.perform(signIn, for: self) { viewModel, result in viewModel.receive(result) }
    }

    private func receive(_ result: Result<Account, EffectFailure>) {
        switch result {
        case .success(let account):
            authentication.didSignIn()
            didSendEvent?(.signedIn(account))
        case .failure(let failure): screen?.update { $0.failure = failure.message }
        }
    }
}
