package import Usher

/// The accounts embedded in the samples: `kim` and `lee`, with the password `usher`.
package struct EmbeddedAccounts: AccountDirectory {
    private static let accounts = [
        "kim": Account(id: 1, name: "Kim", workspaces: [7]),
        "lee": Account(id: 2, name: "Lee"),
    ]
    private static let password = "usher"

    package init() {}

    /// Returns whether an account has a name, so that no other user can sign up with the name.
    package static func contains(_ name: String) -> Bool { accounts[name] != nil }

    /// Returns the account of a user, immediately; a token is its user's name.
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
