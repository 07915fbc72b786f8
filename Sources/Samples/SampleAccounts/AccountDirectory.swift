package import Usher

/// A directory of accounts, which identifies users.
package protocol AccountDirectory: Sendable {
    /// Returns the account of a user; `key` is the same if the attempt is repeated after a crash.
    ///
    /// - Throws: `EffectFailure` for the user: what was wrong, and whether to try again.
    func signIn(with credentials: Credentials, key: String) async throws -> Account
}

/// A user's account.
package struct Account: Codable, Equatable, Sendable {
    /// The user's number.
    package let id: Int
    /// The user's name.
    package let name: String
    /// The ids of the workspaces that the user is a member of.
    package let workspaces: [Int]

    /// Creates an account, by default of a user who is a member of no workspace.
    package init(id: Int, name: String, workspaces: [Int] = []) {
        self.id = id
        self.name = name
        self.workspaces = workspaces
    }
}

/// The proof of a user's identity.
package enum Credentials: Sendable {
    /// The name and the password of an account.
    case password(name: String, password: String)
    /// The token that another service has issued to its user.
    case token(String)

    /// The failure if the credentials are unknown.
    package var refusal: EffectFailure {
        switch self {
        case .password: EffectFailure(code: "wrongPassword", message: "the name or the password is wrong")
        case .token: EffectFailure(code: "unknownToken", message: "no user has this token")
        }
    }
}

/// The services of the samples with a login.
package struct AccountServices: Sendable {
    /// The directory that identifies users.
    package let accounts: any AccountDirectory

    /// Creates services; by default with the embedded accounts, which need no network.
    package init(accounts: any AccountDirectory = EmbeddedAccounts()) {
        self.accounts = accounts
    }
}
