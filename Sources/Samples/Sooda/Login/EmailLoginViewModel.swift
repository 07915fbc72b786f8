import Usher

/// Signs in with a name and a password.
final class EmailLoginViewModel {
    var didSignIn: ((Account) -> Void)?
    var screen: Handle<EmailLoginScreen>?
    private let authentication: Authentication

    init(authentication: Authentication) {
        self.authentication = authentication
    }

    func receive(_ event: EmailLoginScreen.Event) throws {
        switch event {
        case .logIn(let name, let password): try signIn(name, password.reveal())
        }
    }

    private func signIn(_ name: String, _ password: String) {
        guard let account = authentication.signIn(name: name, password: password) else {
            screen?.update { $0.failure = "the name or the password is wrong" }
            return
        }
        didSignIn?(account)
    }
}
