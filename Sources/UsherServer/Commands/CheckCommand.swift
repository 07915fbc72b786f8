import Usher
import UsherJournal
import UsherSessions

/// `usher check`: tells of each live session that this build cannot restore as it was.
struct CheckCommand: InspectingCommand {
    let journal: InspectedJournal

    init(
        _ arguments: ArraySlice<String>, engines: [JournalEngine], environment: (String) -> String?
    ) throws(UsageError) {
        let options = try InspectionOptions(arguments, engines: engines, environment: environment)
        if let extra = options.operands.first { throw UsageError("check takes no \"\(extra)\"") }
        journal = options.subject
    }

    func run(
        on journal: any Journal, apps: [any App.Type], trials: any TrialPlace, write: (String) -> Void
    ) async throws -> Int32 {
        var found = 0
        let count = try await JournalCheck(journal, trials: trials).run { finding in
            found += 1
            write(Self.line(finding))
        }
        write(Self.summary(found: found, of: count))
        return found == 0 ? 0 : 1
    }

    private static func line(_ finding: JournalCheck.Finding) -> String {
        switch finding {
        case .diverges(let session, let app, let divergence): "\(session.text) \(app): \(divergence)"
        case .unavailable(let session, let app, let cause): "\(session.text) \(app): \(cause)"
        case .crashes(let session, let app, let input, let crash):
            "\(session.text) \(app): \(input ?? "showing it") ends the process: \(crash)"
        case .untried(let session, let app, let reason): "\(session.text) \(app): not tried: \(reason)"
        }
    }

    private static func summary(found: Int, of count: Int) -> String {
        found == 0
            ? "this build can restore all live sessions, \(count) of \(count)"
            : "this build cannot restore \(found) of \(count) live sessions"
    }
}
