import Usher
import UsherBytes
import UsherJournal
import UsherSessions

/// `usher check`: tells of each live session that this build cannot restore as it was, and of the clients that cannot draw
/// what it would show them.
struct CheckCommand: InspectingCommand {
    let options: InspectionOptions

    static let help = CommandHelp(
        "check", "find the sessions that this build cannot restore", synopses: ["[OPTION...]"],
        description: [
            """
            Replays each live session in a child process. Prints a line for each session that this build cannot \
            restore, and for each version of a client that cannot draw what its sessions have shown. The exit status \
            is 1 if there is such a line.
            """, InspectionOptions.help,
        ], options: known)

    private static let known = InspectionOptions.options()

    init(_ words: CommandWords) throws(UsageError) {
        options = try InspectionOptions(words, Self.known)
        if let extra = options.operands.first { throw UsageError("check takes no \"\(extra)\"") }
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        var found = 0
        var outdated: [OutdatedClient: Int] = [:]
        let count = try await JournalCheck(journal, runner: runner).run { finding in
            if let client = OutdatedClient(finding) { return outdated[client, default: 0] += 1 }
            found += 1
            write(Self.line(finding).escapingControls())
        }
        for line in outdated.map({ $0.line(sessions: $1) }).sorted() { write(line.escapingControls()) }
        write(Self.summary(found: found, of: count))
        return found == 0 && outdated.isEmpty ? 0 : 1
    }

    private static func line(_ finding: JournalCheck.Finding) -> String {
        switch finding {
        case .undrawable(let session, let app, let screen, let client):
            "\(session.text) \(app): the client (\(client)) cannot draw \(screen)"
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

/// A version of a client that cannot draw a screen of this build.
private struct OutdatedClient: Hashable {
    private let app: String
    private let client: String
    private let screen: UndrawableScreen

    /// Nil for a finding of another kind.
    init?(_ finding: JournalCheck.Finding) {
        guard case .undrawable(_, let app, let screen, let client) = finding else { return nil }
        self.app = app
        self.client = client.description
        self.screen = screen
    }

    func line(sessions: Int) -> String {
        "\(app): the client \(client) cannot draw \(screen), which \(sessions) of its live sessions would have shown"
    }
}
