import Usher

/// Signs in with a token, and tells the coordinator what else the user wants.
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
        case .socialLogin(let token): signIn(token)
        }
    }

    private func signIn(_ token: String) {
        guard let account = authentication.signIn(token: token) else {
            screen?.update { $0.failure = "nobody is known by this token" }
            return
        }
        didSendEvent?(.signedIn(account))
    }
}
