package import Usher

/// The accounts that the samples bring along: `kim` and `lee`, whose password is `usher`.
package struct EmbeddedAccounts: AccountDirectory {
    private static let accounts = [
        "kim": Account(id: 1, name: "Kim", workspaces: [7]),
        "lee": Account(id: 2, name: "Lee"),
    ]
    private static let password = "usher"

    /// The same for all.
    package init() {}

    /// True of a name that somebody signs in by, so that nobody else can sign up by it.
    package static func contains(_ name: String) -> Bool { accounts[name] != nil }

    /// Finds out who somebody is, at once; a token is the name of its user.
    package func signIn(with credentials: Credentials, key: String) throws(EffectFailure) -> Account {
        guard let account = account(for: credentials) else { throw credentials.refusal }
        return account
    }

    private func account(for credentials: Credentials) -> Account? {
        switch credentials {
        case .password(let name, Self.password): Self.accounts[name]
        case .password: nil
        case .token(let name): Self.accounts[name]
        }
    }
}
