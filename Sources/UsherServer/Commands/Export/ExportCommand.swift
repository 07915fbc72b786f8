import Usher
import UsherJournal
import UsherSessions

/// `usher export`: prints a session as a script or as a test.
struct ExportCommand: InspectingCommand {
    let journal: JournalLocation
    private let session: SessionID
    private let form: InspectionOptions.Form

    init(_ arguments: ArraySlice<String>, environment: (String) -> String?) throws(UsageError) {
        let options = try InspectionOptions(arguments, own: [InspectionOptions.formOption], environment: environment)
        journal = options.journal
        session = try options.session(of: "export")
        form = options.form
    }

    func run(on journal: any Journal, apps: [any App.Type], write: (String) -> Void) async throws -> Int32 {
        let rehearsal = try await rehearse(on: journal, apps: apps)
        switch form {
        case .curl: write(CurlScript(rehearsal, of: session).text)
        case .swift: write(try TestSource(rehearsal, of: session).text)
        }
        return 0
    }

    private func rehearse(on journal: any Journal, apps: [any App.Type]) async throws -> ExportedSession {
        let registry = SessionRegistry(apps: apps, journal: journal, clock: SystemClock())
        let entries: [Entry]
        do throws(SessionError) {
            entries = try await registry.entries(of: session)
        } catch {
            throw CommandFailure(error, session)
        }
        do {
            return try ExportedSession(entries, apps: apps)
        } catch {
            throw CommandFailure("the session \(session.text) cannot be walked again by this build: \(error)")
        }
    }
}
