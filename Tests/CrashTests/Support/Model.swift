import Tudy
import Usher
import UsherJSON
import UsherSessions

@testable import CrashProgram

/// An app that clients walk through.
enum WalkedApp: String, CaseIterable {
    /// A sample.
    case tudy
    /// The app whose root starts over.
    case laps

    var type: any App.Type {
        switch self {
        case .tudy: TudyApp.self
        case .laps: LapsApp.self
        }
    }

    /// The executable that serves it.
    var program: String {
        switch self {
        case .tudy: "usher"
        case .laps: "CrashProgram"
        }
    }
}

/// What a session must be after the inputs that were acknowledged: the same app without a disk.
final class Model {
    private let registry: SessionRegistry
    private let session: Session

    init(of app: WalkedApp) async throws {
        registry = SessionRegistry(apps: [app.type], clock: StandingClock())
        session = try await registry.open(app.rawValue).session
    }

    /// Handles an input.
    ///
    /// - Returns: Whether it was accepted.
    @discardableResult
    func handle(_ action: String) async throws -> Bool {
        let action = try InputAction(try JSONDocument(parsing: Array(action.utf8)).root)
        do throws(SessionError) {
            _ = try await registry.handle(InputRequest(.action(action), wait: .seconds(5)), on: session.id)
            return true
        } catch {
            guard case .rejected = error else { throw error }
            return false
        }
    }

    var outline: String {
        get async throws { try Outline(try await session.snapshot().state).text }
    }
}

struct StandingClock: Clock {
    /// Never returns, so that nothing exceeds a time limit.
    func sleep(until time: Timestamp) async throws {
        let (never, end) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        withExtendedLifetime(end) {}
        throw CancellationError()
    }

    func now() -> Timestamp { Timestamp(milliseconds: 0) }
}
