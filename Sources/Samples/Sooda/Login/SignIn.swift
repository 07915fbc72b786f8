internal import SampleAccounts
internal import Usher

/// Finds an account by its name and password.
struct SignIn: Effect {
    let name: String
    let password: Secret<String>

    static let failures = ["wrongPassword"]

    var examples: [Account] { Account.examples }

    func run(_ context: EffectContext<AccountServices>) async throws -> Account {
        let credentials = Credentials.password(name: name, password: try password.reveal())
        return try await context.services.accounts.signIn(with: credentials, key: context.id)
    }
}

extension Account {
    /// A member of a workspace, and a member of none.
    static let examples = [Account(id: 1, name: "Kim", workspaces: [7]), Account(id: 2, name: "Lee")]
}
