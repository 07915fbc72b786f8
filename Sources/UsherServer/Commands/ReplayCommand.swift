import Usher
import UsherJournal
import UsherProcess
import UsherSessions

/// `usher replay`: rebuilds a session from its inputs, and prints its state.
struct ReplayCommand: InspectingCommand {
    let options: InspectionOptions
    private let session: SessionID

    static let help = CommandHelp(
        "replay", "print a session's state, now or at a revision", synopses: ["SESSION [OPTION...]"],
        description: [
            "Rebuilds the session from its inputs, and prints its state as one line of JSON.", InspectionOptions.help,
        ], options: known)

    private static let known = InspectionOptions.options(InspectionOptions.revisionOption)

    init(_ words: CommandWords) throws(UsageError) {
        options = try InspectionOptions(words, Self.known)
        session = try options.session(of: "replay")
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        let known = try await CrashSettings(reading: journal) { BuildIdentity.current }
        let registry = SessionRegistry(apps: apps, journal: journal, clock: SystemClock(), crashes: known)
        do throws(SessionError) {
            let newest = try await registry.entries(of: session).last?.revision ?? 0
            let state = try await registry.state(of: session, at: options.revision ?? newest)
            write(String(decoding: state, as: UTF8.self))
            return 0
        } catch {
            throw CommandFailure(error, session)
        }
    }
}
