import Usher
import UsherJournal
import UsherProcess
import UsherSessions

/// `usher replay`: prints a session's state, rebuilt from its inputs.
struct ReplayCommand: InspectingCommand {
    let journal: InspectedJournal
    private let session: SessionID
    private let revision: Int?

    static let help = CommandHelp(
        "replay", "print a session's state, now or at a revision", synopses: ["SESSION [OPTION...]"],
        description: [
            "Rebuilds the session from its inputs, and prints its state as one line of JSON.", InspectionOptions.help,
        ], options: options)

    private static let options = InspectionOptions.options(InspectionOptions.revisionOption)

    init(
        _ arguments: ArraySlice<String>, engines: [JournalEngine], environment: (String) -> String?
    ) throws(UsageError) {
        let options = try InspectionOptions(
            arguments, Self.options, engines: engines, environment: environment)
        journal = options.subject
        session = try options.session(of: "replay")
        revision = options.revision
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        let known = try await CrashSettings(reading: journal) { BuildIdentity.current }
        let registry = SessionRegistry(apps: apps, journal: journal, clock: SystemClock(), crashes: known)
        do throws(SessionError) {
            let newest = try await registry.entries(of: session).count
            write(String(decoding: try await registry.state(of: session, at: revision ?? newest), as: UTF8.self))
            return 0
        } catch {
            throw CommandFailure(error, session)
        }
    }
}
