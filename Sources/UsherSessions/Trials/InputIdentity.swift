import Usher
import UsherJSON
import UsherJournal

extension InputContent {
    /// The kind by which it is known again.
    var guiltyKind: GuiltyInput.Kind {
        switch self {
        case .action, .message: .input
        case .timer: .timer
        case .result, .refused: .result
        }
    }

    /// The payload as its entry would hold it.
    var payload: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 128)
        write(into: &writer)
        return writer.bytes
    }

    /// The bytes by which it is known again: an effect's result is not, for its next run may bring another.
    private var identifyingBytes: [UInt8] {
        switch self {
        case .action, .message: payload
        case .timer(let id), .result(let id, _): Array(id.description.utf8)
        case .refused(let id, _): Array("refused \(id)".utf8)
        }
    }

    /// The identity by which it is known again.
    func identity(in session: SessionID, upon revision: Int) -> GuiltyInput.Identity {
        GuiltyInput.Identity(guiltyKind, of: session.journalKey, upon: revision, identifyingBytes)
    }

    /// The site in an app at which it is handled.
    ///
    /// - Parameters:
    ///   - app: The app's name.
    ///   - visible: The visible screen as entries have it, such as `login 5`.
    func site(in app: String, visible: String) -> GuiltyInput.Site {
        let event = if case .action(.open) = self { "link" } else { String(summary.prefix(128)) }
        return GuiltyInput.Site(
            app: app, screen: concernsScreen ? String(visible.prefix { $0 != " " }) : "", event: event)
    }

    /// True of what a user does on the visible screen; the rest is handled alike whatever is visible.
    private var concernsScreen: Bool {
        switch self {
        case .action(.open), .message, .timer, .result, .refused: false
        case .action: true
        }
    }
}

extension GuiltyInput.Identity {
    /// The identity of a creation: its app, options, link and client, and not its seed, which is another each time.
    ///
    /// - Parameter payload: The payload of its entry.
    /// - Throws: `JSONError` for another shape.
    init(creation payload: [UInt8]) throws(JSONError) {
        let json = try JSONDocument(parsing: payload).root
        guard let app = json[member: "app"], let options = json[member: "options"] else {
            throw json.error("expected app and options")
        }
        let link = json[member: "open"].map { Array($0.bytes) } ?? []
        // Blanks between them: of JSON none could say where the one ends.
        var bytes = Array(app.bytes) + [0] + Array(options.bytes) + [0] + link
        if let client = json[member: "client"] { bytes += [0] + Array(client.bytes) }
        self.init(.creation, of: nil, upon: 0, bytes)
    }
}

extension GuiltyInput.Identity {
    /// The identity of a replay that ends the process.
    static func replay(of session: JournalKey, at revision: Int) -> GuiltyInput.Identity {
        GuiltyInput.Identity(.replay, of: session, upon: revision, [])
    }
}

extension GuiltyInput.Site {
    /// The site of all replays of an app: which of their inputs it is shows only afterwards.
    static func replay(of app: String) -> GuiltyInput.Site {
        GuiltyInput.Site(app: app, screen: "", event: "replay")
    }
}

extension GuiltyInput {
    /// The input of a trial that has ended in a crash, or the replay that it never got beyond.
    ///
    /// - Parameters:
    ///   - crash: The crash.
    ///   - trial: The trial.
    ///   - build: The build that made it.
    ///   - time: Now: milliseconds since 1970.
    /// - Throws: `JSONError` where the trial's input is none.
    init(_ crash: Crash, at trial: Trial, build: UInt64, time: Int64) throws(JSONError) {
        let (identity, site) = try Self.culprit(of: trial, crash)
        self.init(identity, at: site, build: build, time: time, crash: "\(crash)")
    }

    private static func culprit(of trial: Trial, _ crash: Crash) throws(JSONError) -> (Identity, Site) {
        guard let session = trial.session, let record = trial.record else {
            let identity = try Identity(creation: trial.input?.payload ?? [])
            return (identity, Site(app: trial.app, screen: "", event: "creation"))
        }
        guard let input = trial.input, crash.revision == nil else {
            let revision = crash.revision ?? record.head.revision
            return (.replay(of: session.journalKey, at: revision), .replay(of: trial.app))
        }
        let content = try InputContent(payload: try JSONDocument(written: input.payload).root)
        let visible = record.entries.last?.visible ?? ""
        return (
            content.identity(in: session, upon: input.revision), content.site(in: trial.app, visible: visible)
        )
    }

    /// The reason for a refusal, in one sentence.
    package var reason: String { "this input ended the server's process (\(crash)), and is refused until a new build" }
}
