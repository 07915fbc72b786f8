import Programs
import Usher
import UsherJSON
import UsherJournal
import UsherProcess
import UsherServer
import UsherSessions

@testable import CrashProgram

/// A session of `CrashApp` in this process's memory, with isolated runs in children of `CrashProgram`.
final class IsolatedSubject: Sendable {
    private let journal = MemoryJournal()
    private let registry: SessionRegistry
    private let session: Session

    init() async throws {
        registry = SessionRegistry(apps: [CrashApp.self], journal: journal, clock: StandingClock())
        session = try await registry.open("crash").session
    }

    /// Handles events, such as `"count"`.
    func handle(_ events: String...) async throws {
        for event in events {
            let action = try InputAction(try Self.json(#"{"event":\#(event)}"#))
            _ = try await registry.handle(InputRequest(.action(action)), on: session.id)
        }
    }

    /// Returns an isolated run of the session's history, and of an input after it.
    func run(_ payload: String? = nil) async throws -> IsolatedRun {
        let record = try journal.record(of: session.id.journalKey)
        guard let record else { throw SessionError.unknown }
        return IsolatedRun(
            of: session.id, "crash", record.entries,
            input: payload.map { Entry(Array($0.utf8), upon: record.head.revision, at: 0) })
    }

    /// Returns an isolated run of the creation of another session.
    static func creation(_ options: String) -> IsolatedRun {
        let payload = #"{"app":"crash","seed":1,"options":\#(options)}"#
        return IsolatedRun(creating: Entry(Array(payload.utf8), .creation, upon: 0, at: 0), of: "crash")
    }

    /// Creates a runner for isolated runs with an executable of this package.
    ///
    /// - Parameters:
    ///   - program: The executable's name.
    ///   - limits: The limits of the runs.
    ///   - environment: Additional environment variables.
    static func place(
        _ program: String = "CrashProgram", width: Int = 1,
        within limits: WatchLimits = WatchLimits(handlerTime: .seconds(5), memory: 256 * 1024 * 1024),
        environment: [String: String] = [:]
    ) -> IsolatedProcesses {
        var command = ChildCommand([])
        command.executable = "\(Program.products)/\(program)"
        command.environment.merge(environment) { _, given in given }
        return IsolatedProcesses(width: width, limits, command: command)
    }

    private static func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }
}
