internal import SampleAccounts
internal import Usher

/// Finds out whose account it is by its name and password.
struct SignIn: Effect {
    let name: String
    let password: Secret<String>

    func run(_ context: EffectContext<AccountServices>) async throws -> Account {
        let credentials = Credentials.password(name: name, password: try password.reveal())
        return try await context.services.accounts.signIn(with: credentials, key: context.id)
    }
}
