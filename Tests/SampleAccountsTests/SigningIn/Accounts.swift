import CurlClient
import SampleAccounts
import SampleBackend
import Testing
import UsherTesting

/// Where the accounts are that a sign-in succeeds with.
enum Accounts: CaseIterable {
    case embedded, fast, slow

    /// Runs a body with such services; it signs in by `settle`.
    func run(_ body: (AccountServices, _ settle: (AppUnderTest) async -> Void) async throws -> Void) async throws {
        if self == .embedded { return try await body(AccountServices()) { app in await app.settle() } }
        try await Backend.run { backend in
            if self == .slow { backend.behave(.slow) }
            try await body(backend.services) { app in
                let released = Task {
                    guard self == .slow else { return }
                    await backend.holds(1)
                    backend.release()
                }
                await app.settle()
                await released.value
            }
        }
    }
}

/// What may be wrong with a backend.
enum Trouble: CaseIterable {
    case failing, gone, tooSlow

    var code: String { self == .tooSlow ? "timedOut" : "unavailable" }

    var message: String {
        switch self {
        case .failing, .gone: "signing in is not possible at the moment; try again later"
        case .tooSlow: "signing in takes too long at the moment; try again"
        }
    }

    /// Runs a body with the services of such a backend.
    func run(_ body: (AccountServices, Backend) async throws -> Void) async throws {
        try await Backend.run { backend in
            switch self {
            case .failing: backend.behave(.failing)
            case .gone: await backend.stop()
            case .tooSlow: backend.behave(.slow)
            }
            var configuration = CurlClient.Configuration()
            if self == .tooSlow { configuration.timeout = .milliseconds(50) }
            let accounts = try HTTPAccounts(base: backend.url, client: CurlClient(configuration))
            try await body(AccountServices(accounts: accounts), backend)
        }
    }
}

extension Backend {
    /// Services that ask it.
    var services: AccountServices {
        get throws { AccountServices(accounts: try HTTPAccounts(base: url)) }
    }
}
