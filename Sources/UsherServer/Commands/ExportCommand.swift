import Usher
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// `usher export`: prints a session as a script or as a test.
struct ExportCommand: InspectingCommand {
    let options: InspectionOptions
    private let session: SessionID

    static let help = CommandHelp(
        "export", "print a session as a script or as a test", synopses: ["SESSION [OPTION...]"],
        description: [
            """
            The script repeats the session's inputs on the server that the script's argument names. Secrets are masked, \
            and comments show where to insert them. The test contains the results of effects, so it needs no services.
            """, InspectionOptions.help,
        ], options: known)

    private static let known = InspectionOptions.options(
        InspectionOptions.formOption, InspectionOptions.revisionOption)

    init(_ words: CommandWords) throws(UsageError) {
        options = try InspectionOptions(words, Self.known)
        session = try options.session(of: "export")
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        let exported = try await exportedSession(on: journal, apps: apps)
        switch options.form {
        case .curl: write(CurlScript(exported, of: session).text)
        case .swift: write(try TestSource(exported, of: session).text)
        }
        return 0
    }

    private func exportedSession(on journal: any Journal, apps: [any App.Type]) async throws -> ExportedSession {
        let crashes = try await CrashSettings(reading: journal) { BuildIdentity.current }
        let registry = SessionRegistry(apps: apps, journal: journal, clock: SystemClock(), crashes: crashes)
        let entries: [Entry]
        do throws(SessionError) {
            entries = try await registry.entries(of: session, through: options.revision)
        } catch {
            throw CommandFailure(error, session)
        }
        do {
            return try ExportedSession(entries, apps: apps)
        } catch {
            throw CommandFailure("this build cannot repeat the session \(session.text): \(error)")
        }
    }
}

enum JSONText {
    /// Returns valid JSON without white space between its tokens.
    static func oneLine(_ json: [UInt8]) -> String {
        guard let value = try? JSONDocument(parsing: json).root else { return String(decoding: json, as: UTF8.self) }
        return JSONWriter.text { $0.value(value) }
    }
}
