import SampleAccounts
import SampleBackend
import Testing
import UsherTesting

/// The places of accounts with which a sign-in succeeds.
enum Accounts: CaseIterable {
    case embedded, fast, slow

    /// Runs a closure with such services; it signs in with `settle`.
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

/// The failures of a backend.
enum Trouble: CaseIterable {
    case failing, gone

    /// The message for the user.
    static let message = "signing in is not possible at the moment; try again later"

    /// Runs a closure with such a backend.
    func run(_ body: (Backend) async throws -> Void) async throws {
        try await Backend.run { backend in
            switch self {
            case .failing: backend.behave(.failing)
            case .gone: await backend.stop()
            }
            try await body(backend)
        }
    }
}
