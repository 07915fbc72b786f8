import Usher
import UsherJSON
import UsherJournal
import UsherSessions

/// `usher states`: prints the states of sessions, one line of JSON each.
struct StatesCommand: InspectingCommand {
    let options: InspectionOptions
    private let sessions: [SessionID]

    static let help = CommandHelp(
        "states", "print the states of all or some live sessions", synopses: ["[SESSION...] [OPTION...]"],
        description: [
            """
            Prints a line of JSON for each session, in the order of their ids: the session, its app, its newest revision, \
            its fate as "check" names it, and the state that a client would see. A session that this build must not serve \
            has a cause instead of a state.
            """, InspectionOptions.help,
        ], options: known)

    private static let known = InspectionOptions.options()

    init(_ words: CommandWords) throws(UsageError) {
        options = try InspectionOptions(words, Self.known)
        sessions = try options.sessions()
    }

    func run(
        on journal: any Journal, apps: [any App.Type], runner: any IsolatedRunner, write: (String) -> Void
    ) async throws -> Int32 {
        let check = JournalCheck(journal, runner: runner, showsStates: true)
        guard !sessions.isEmpty else {
            try await check.run { write(ShownState($0).json) }
            return 0
        }
        var missing = Set(sessions)
        try await check.run(on: sessions.sorted()) { session in
            missing.remove(session.id)
            write(ShownState(session).json)
        }
        if let id = missing.min() { throw CommandFailure("there is no live session \(id.text) in this journal") }
        return 0
    }
}

/// The state of a session in a build: a line of `usher states`.
struct ShownState {
    let session: SessionID
    let app: String
    /// The newest revision in the session's record.
    let revision: Int
    let fate: CheckedSession.Fate
    /// The reason why there is no state; nil if there is a state.
    private let cause: String?
    /// The state as JSON; nil if the build must not serve the session.
    let state: [UInt8]?

    init(_ session: CheckedSession) {
        (self.session, app, revision, fate) = (session.id, session.app, session.revision, session.fate)
        (cause, state) = (session.cause?.text, session.state.map { Array($0.utf8) })
    }

    /// Parses a line; returns nil if it is malformed.
    init?(json: String) {
        guard let line = try? JSONDocument(written: Array(json.utf8)).root,
            let session = line[member: "session"]?.string.flatMap({ SessionID($0) }),
            let app = line[member: "app"]?.string, let revision = line[member: "revision"]?.integer,
            let fate = line[member: "fate"]?.string.flatMap({ CheckedSession.Fate(rawValue: $0) })
        else { return nil }
        (self.session, self.app, self.revision, self.fate) = (session, app, revision, fate)
        cause = line[member: "cause"]?.string
        state = line[member: "state"].map { Array($0.bytes) }
    }

    var json: String {
        let line = JSONWriter.object { writer in
            writer.member("session", session.text)
            writer.member("app", app)
            writer.member("revision", revision)
            writer.member("fate", fate.rawValue)
            if let state { writer.member("state", raw: state) } else { writer.member("cause", cause ?? "") }
        }
        return String(decoding: line, as: UTF8.self)
    }
}
