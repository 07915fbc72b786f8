import Usher
import UsherJSON
import UsherJournal
package import UsherProcess

extension InputContent {
    /// The identity by which it is known again.
    func identity(in session: SessionID, upon revision: Int) -> GuiltyInput.Identity {
        // An effect's result is known by the effect, because its next run may bring another.
        let (kind, bytes): (GuiltyInput.Kind, [UInt8]) =
            switch self {
            case .action, .message: (.input, payload)
            case .timer(let id): (.timer, Array(id.description.utf8))
            case .result(let id, _): (.result, Array(id.description.utf8))
            case .refused(let id, _): (.result, Array("refused \(id)".utf8))
            }
        return GuiltyInput.Identity(kind, of: session.journalKey, upon: revision, bytes)
    }

    private var payload: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 128)
        write(into: &writer)
        return writer.bytes
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

    /// A Boolean value indicating whether a user does it on the visible screen; the rest is handled alike everywhere.
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

    /// The identity of a replay that ends the process.
    static func replay(of session: JournalKey, at revision: Int) -> GuiltyInput.Identity {
        GuiltyInput.Identity(.replay, of: session, upon: revision, [])
    }

    /// The identity of an effect's own work.
    static func effect(_ id: EffectID, of session: SessionID) -> GuiltyInput.Identity {
        GuiltyInput.Identity(.effect, of: session.journalKey, upon: 0, Array(id.description.utf8))
    }
}

extension GuiltyInput.Site {
    /// The site of all replays of an app: which of their inputs it is shows only afterwards.
    static func replay(of app: String) -> GuiltyInput.Site { GuiltyInput.Site(app: app, screen: "", event: "replay") }
    /// The site of all creations of sessions of an app.
    static func creation(of app: String) -> GuiltyInput.Site {
        GuiltyInput.Site(app: app, screen: "", event: "creation")
    }
}

extension IsolatedRun {
    /// What is guilty if the run ends in a crash: its input, or the replay that it never got beyond.
    ///
    /// - Throws: `JSONError` if the input cannot be read.
    func culprit(of crash: Crash) throws(JSONError) -> (GuiltyInput.Identity, GuiltyInput.Site) {
        guard let session else { return (try .init(creation: input?.payload ?? []), .creation(of: app)) }
        guard let input, crash.revision == nil else {
            return (.replay(of: session.journalKey, at: crash.revision ?? revision), .replay(of: app))
        }
        let content = try Input(input).content
        return (
            content.identity(in: session, upon: revision),
            content.site(in: app, visible: entries.last?.visible ?? "")
        )
    }
}

extension GuiltyInput {
    /// The reason for a refusal, in one sentence.
    package var reason: String { "this input ended the server's process (\(crash)), and is refused until a new build" }
}

extension Crash {
    /// The crash that a mark in the flight record tells of; nil if it tells of none.
    ///
    /// - Parameters:
    ///   - mark: The mark of a dead process.
    ///   - executable: The path of the executable that the process ran.
    package init?(_ mark: FlightMark, of executable: String = "/proc/self/exe") {
        guard let note = mark.note else { return nil }
        self.init(
            "\(note)", in: ExecutableSymbols(executable)?.authorsFunction(on: mark.frames),
            at: mark.kind == .replay ? mark.revision : nil)
    }
}
