import Programs
import Usher
import UsherJSON
import UsherJournal
import UsherProcess
import UsherServer
import UsherSessions

@testable import CrashProgram

/// A session of `CrashApp` in this process's memory, and trials of it in children of `CrashProgram`.
final class TrialSubject: Sendable {
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
            _ = try await session.handle(InputRequest(try InputAction(try Self.json(#"{"event":\#(event)}"#))))
        }
    }

    /// The session as it stands, with an input that comes upon it.
    func trial(_ payload: String? = nil, kind: GuiltyInput.Kind = .input) async throws -> Trial {
        let record = try journal.record(of: session.id.journalKey)
        guard let record else { throw SessionError.unknown }
        return Trial(of: session.id, record, input: payload.map { Self.input($0, kind, upon: record.head.revision) })
    }

    /// The creation of another session.
    static func creation(_ options: String) -> Trial {
        let payload = #"{"app":"crash","version":"","seed":1,"options":\#(options)}"#
        return Trial(creating: input(payload, .creation, upon: 0), of: "crash")
    }

    /// A place for trials with an executable of this package.
    ///
    /// - Parameters:
    ///   - program: Its name.
    ///   - limits: The limits of a trial.
    ///   - environment: Variables beside those of this process.
    static func place(
        _ program: String = "CrashProgram", width: Int = 1, within limits: TrialLimits = TrialLimits(),
        environment: [String: String] = [:]
    ) -> ChildTrials {
        var command = ChildCommand([])
        command.executable = "\(Program.products)/\(program)"
        command.environment.merge(environment) { _, given in given }
        return ChildTrials(width: width, limits, command: command)
    }

    private static func input(_ payload: String, _ kind: GuiltyInput.Kind, upon revision: Int) -> TrialInput {
        TrialInput(kind, upon: revision, payload: Array(payload.utf8), time: Timestamp(milliseconds: 0))
    }

    private static func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }
}
