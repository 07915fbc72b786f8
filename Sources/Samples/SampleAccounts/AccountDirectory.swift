package import Usher

/// A directory of accounts: finds out whose account it is.
package protocol AccountDirectory: Sendable {
    /// Finds out who somebody is.
    ///
    /// - Parameters:
    ///   - credentials: A password or a token.
    ///   - key: The attempt's name, the same when it is made again after a crash.
    /// - Throws: `EffectFailure` for the user: what was wrong, and whether to try again.
    func signIn(with credentials: Credentials, key: String) async throws -> Account
}

/// Somebody who can sign in.
package struct Account: Codable, Equatable, Sendable {
    /// The user's number.
    package let id: Int
    /// The user's name.
    package let name: String
    /// The ids of the workspaces that the user is a member of.
    package let workspaces: [Int]

    /// Makes an account.
    ///
    /// - Parameters:
    ///   - id: The user's number.
    ///   - name: The user's name.
    ///   - workspaces: The ids of the workspaces that the user is a member of.
    package init(id: Int, name: String, workspaces: [Int] = []) {
        self.id = id
        self.name = name
        self.workspaces = workspaces
    }
}

/// The proof that a user is who he says he is.
package enum Credentials: Sendable {
    /// The name and the password of an account.
    case password(name: String, password: String)
    /// The token that another service has given to its user.
    case token(String)

    /// The failure where nobody is known by them.
    package var refusal: EffectFailure {
        switch self {
        case .password: EffectFailure(code: "wrongPassword", message: "the name or the password is wrong")
        case .token: EffectFailure(code: "unknownToken", message: "nobody is known by this token")
        }
    }
}

/// The services of the samples that sign in.
package struct AccountServices: Sendable {
    /// The directory that sign-ins ask.
    package let accounts: any AccountDirectory

    /// Services with the given accounts.
    ///
    /// - Parameter accounts: By default those that the samples bring along, which need no network.
    package init(accounts: any AccountDirectory = EmbeddedAccounts()) {
        self.accounts = accounts
    }
}
