import Usher
import UsherJSON
import UsherJournal
package import UsherProcess

extension InputContent {
    /// Returns the identity by which `GuiltyInputs` recognizes the input.
    func identity(in session: SessionID, upon revision: Int) -> GuiltyInput.Identity {
        // A result is identified only by its effect, because another run of the effect may have another result.
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

    /// Returns the input's site: the app, screen and event under which crashes are counted.
    ///
    /// - Parameter visible: The visible screen's name and id, as in an entry: for example, `login 5`.
    func site(in app: String, visible: String) -> GuiltyInput.Site {
        let event = if case .action(.open) = self { "link" } else { String(summary.prefix(128)) }
        return GuiltyInput.Site(
            app: app, screen: concernsScreen ? String(visible.prefix { $0 != " " }) : "", event: event)
    }

    private var concernsScreen: Bool {
        switch self {
        case .action(.open), .message, .timer, .result, .refused: false
        case .action: true
        }
    }
}

extension GuiltyInput.Identity {
    /// Creates the identity of a creation from its app, options, link and client, but not from its seed, which always
    /// differs.
    ///
    /// - Throws: `JSONError` if the payload has another shape.
    init(creation payload: [UInt8]) throws(JSONError) {
        let json = try JSONDocument(parsing: payload).root
        guard let app = json[member: "app"], let options = json[member: "options"] else {
            throw json.error("expected app and options")
        }
        let link = json[member: "open"].map { Array($0.bytes) } ?? []
        // Zero bytes separate the parts, because JSON text contains no zero bytes.
        var bytes = Array(app.bytes) + [0] + Array(options.bytes) + [0] + link
        if let client = json[member: "client"] { bytes += [0] + Array(client.bytes) }
        self.init(.creation, of: nil, upon: 0, bytes)
    }

    static func replay(of session: JournalKey, at revision: Int) -> GuiltyInput.Identity {
        GuiltyInput.Identity(.replay, of: session, upon: revision, [])
    }

    /// Returns the identity of an effect's closure, which runs outside of the tree.
    static func effect(_ id: EffectID, of session: SessionID) -> GuiltyInput.Identity {
        GuiltyInput.Identity(.effect, of: session.journalKey, upon: 0, Array(id.description.utf8))
    }
}

extension GuiltyInput.Site {
    /// Returns the site that all replays of an app share, because the crashing entry is known only after the crash.
    static func replay(of app: String) -> GuiltyInput.Site { GuiltyInput.Site(app: app, screen: "", event: "replay") }
    static func creation(of app: String) -> GuiltyInput.Site {
        GuiltyInput.Site(app: app, screen: "", event: "creation")
    }
}

extension IsolatedRun {
    /// Returns what caused a crash of the run: the input, or the replay if the run did not reach the input.
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
    /// The reason for a refusal, as one sentence.
    package var reason: String {
        "this input ended the server's process (\(crash)), and is refused until a new build runs"
    }
}

extension Crash {
    /// Creates a crash from a mark in the flight record; `nil` if the mark reports no crash.
    ///
    /// - Parameters:
    ///   - mark: The mark that a dead process left.
    ///   - executable: The path of the process's executable.
    package init?(_ mark: FlightMark, of executable: String = "/proc/self/exe") {
        guard let note = mark.note else { return nil }
        self.init(
            "\(note)", in: ExecutableSymbols(executable)?.authorsFunction(on: mark.frames),
            at: mark.kind == .replay ? mark.revision : nil)
    }
}
