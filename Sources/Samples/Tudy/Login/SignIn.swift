import Usher

/// Finds out who somebody is by the name and the password of an account.
struct SignIn {
    let name: String
    let password: Secret<String>

    /// The account's user; nil unless both are right.
    func run() throws -> User? {
        try password.reveal() == "usher" ? Self.accounts[name] : nil
    }

    private static let accounts: [String: User] = ["kim": .kim, "lee": .lee]
}
