internal import SampleAccounts
internal import Usher

/// Finds a user by the name and the password of an account.
struct SignIn: Effect {
    let name: String
    let password: Secret<String>

    static let failures = ["wrongPassword"]

    var examples: [User] { [.kim] }

    func run(_ context: EffectContext<AccountServices>) async throws -> User {
        let credentials = Credentials.password(name: name, password: try password.reveal())
        let account = try await context.services.accounts.signIn(with: credentials, key: context.id)
        return User(id: account.id, name: account.name)
    }
}
