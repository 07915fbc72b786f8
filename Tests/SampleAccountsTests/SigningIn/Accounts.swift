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

/// The trouble that a backend may be in.
enum Trouble: CaseIterable {
    case failing, gone

    /// What the user is told.
    static let message = "signing in is not possible at the moment; try again later"

    /// Runs a body with such a backend.
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
