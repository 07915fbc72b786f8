internal import Usher

/// Knows whose account it is.
public protocol AccountDirectory: Sendable {
    /// Finds out who somebody is.
    ///
    /// - Parameters:
    ///   - credentials: What is shown.
    ///   - key: The attempt's name, the same when it is made again after a crash.
    /// - Throws: `EffectFailure` for the user: what was wrong, and whether to try again.
    func signIn(with credentials: Credentials, key: String) async throws -> Account
}

extension EffectFailure {
    /// Credentials that nobody is known by.
    static func refused(_ credentials: Credentials) -> EffectFailure {
        switch credentials {
        case .password: EffectFailure(code: "wrongPassword", message: "the name or the password is wrong")
        case .token: EffectFailure(code: "unknownToken", message: "nobody is known by this token")
        }
    }
}
