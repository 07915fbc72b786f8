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
        0
    }
}
