private import CurlClient
private import UsherProcess

/// What the effects of the samples that sign in work with.
public struct AccountServices: Sendable {
    /// Who signs in.
    public let accounts: any AccountDirectory

    /// Services with the given accounts.
    ///
    /// - Parameter accounts: By default those that the samples bring along, which need no network.
    public init(accounts: any AccountDirectory = EmbeddedAccounts()) {
        self.accounts = accounts
    }

    /// What the environment asks for: the accounts of the backend whose URL is in `USHER_SAMPLE_BACKEND`, such as
    /// `http://127.0.0.1:8081`; where there is none, those that the samples bring along.
    ///
    /// - Throws: When that is no URL.
    public static func ofEnvironment() throws -> AccountServices {
        try ofEnvironment(ProcessEnvironment.variable)
    }

    static func ofEnvironment(_ variable: (String) -> String?) throws -> AccountServices {
        guard let base = variable("USHER_SAMPLE_BACKEND"), !base.isEmpty else { return AccountServices() }
        do {
            return AccountServices(accounts: try HTTPAccounts(base: base))
        } catch {
            throw AccountServicesError(reason: "USHER_SAMPLE_BACKEND in the environment: \(error)")
        }
    }
}
