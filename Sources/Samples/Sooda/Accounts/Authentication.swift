import Usher

/// Whether somebody is signed in, and the only place that knows accounts.
final class Authentication {
    private static let accounts = [Account(name: "kim", workspaces: [7]), Account(name: "lee", workspaces: [])]
    private static let password = "usher"

    private(set) var isSignedIn: Bool

    init(isSignedIn: Bool) {
        self.isSignedIn = isSignedIn
    }

    /// - Returns: nil where the name or the password is wrong.
    func signIn(name: String, password: String) -> Account? {
        password == Self.password ? signIn(token: name) : nil
    }

    /// - Returns: nil where nobody is known by the token: in this sample, his name.
    func signIn(token: String) -> Account? {
        guard let account = account(named: token) else { return nil }
        isSignedIn = true
        return account
    }

    func signUp(name: String) throws {
        guard account(named: name) == nil else {
            throw Refusal("the name \"\(name)\" is taken; choose another, or log in")
        }
        isSignedIn = true
    }

    func signOut() {
        isSignedIn = false
    }

    private func account(named name: String) -> Account? {
        Self.accounts.first { $0.name == name }
    }
}
