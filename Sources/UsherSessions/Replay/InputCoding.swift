import Usher
import UsherJSON
import UsherJournal

/// The first input of a history: the data from which the first tree is built.
///
/// A history is a series of inputs that begins with a creation. A session has one history until its root coordinator
/// starts over.
struct Creation: Sendable {
    let app: any App.Type
    /// The app's current name, or the former name under which the session was opened.
    private(set) var appName: String
    /// The options as JSON, as the client sent them.
    let options: [UInt8]
    /// The steps of the deep link that the session opens with.
    let link: [JSONValue]
    private(set) var linkHandling: LinkHandling
    /// The client's description of itself; empty if the client sent none.
    let client: Client
    let seed: UInt64
    let time: Timestamp
    /// The user for whom a backend opened the session.
    let subject: String?
    /// A Boolean value that indicates whether the secrets were erased; if so, `null` replaces each secret.
    let isErased: Bool
    /// The last revision whose input was copied from another session; 0 if the session is not a copy.
    private(set) var copiedRevision = 0
    /// The point in the session at which the history begins.
    private(set) var origin = TreeOrigin()

    init(
        app: any App.Type, options: [UInt8], link: [JSONValue], handling: LinkHandling = .follow, client: Client,
        seed: UInt64, time: Timestamp, subject: String? = nil, isErased: Bool = false
    ) {
        self.app = app
        appName = app.name
        self.client = client
        self.options = options
        self.link = link
        linkHandling = handling
        self.seed = seed
        self.time = time
        self.subject = subject
        self.isErased = isErased
    }

    /// Creates the first input of a session's next history, at the time of the input with which the tree started over.
    init(_ beginning: NewBeginning, on tree: Tree, at time: Timestamp, in header: SessionHeader) {
        self.init(
            app: beginning.app, options: beginning.options, link: beginning.link,
            handling: beginning.isLinkKept ? .keep : .follow, client: tree.client, seed: tree.seed, time: time,
            subject: header.access?.subject)
        // Uses the name in the header, because exports and earlier builds look for the app under this name.
        appName = header.app
        origin = beginning.origin(on: tree)
    }

    /// The same creation for a separate session, whose first revision is 1.
    var standalone: Creation {
        var creation = self
        creation.origin = TreeOrigin()
        return creation
    }

    /// Returns the creation with other free ids, so that new screens get no ids that clients know from other screens.
    func beginning(from identifiers: NextIdentifiers) -> Creation {
        var creation = self
        creation.origin.identifiers = identifiers
        return creation
    }

    /// Builds the first tree; if the tree can follow only a part of the link, keeps the rest of the link.
    ///
    /// - Throws: The errors of `tree(stateLimit:handling:)`.
    mutating func open(stateLimit: Int) throws -> sending Tree {
        let opening = try LinkHandling.opening { try tree(stateLimit: stateLimit, handling: $0) }
        linkHandling = opening.handling
        return opening.opened
    }

    /// Builds the tree of the first revision.
    ///
    /// - Parameters:
    ///   - stateLimit: The largest state, in bytes, that the app's limits may permit.
    ///   - handling: How to handle the link, unless this creation contains a handling.
    ///   - isReplayed: Pass `true` if the session already exists and the tree will handle its recorded inputs.
    ///   - changes: The changes known to the build that opened the session; `nil` for this build.
    /// - Throws: `JSONError` for invalid options; `Rejection` or an author's error if the root coordinator does not
    ///   start.
    func tree(
        stateLimit: Int, handling: LinkHandling = .follow, isReplayed: Bool = false, knowing changes: [String]? = nil
    ) throws -> sending Tree {
        try Tree(
            opening: app, options: options, isErased: isErased, seed: seed, time: time, link: link,
            handling: linkHandling == .follow ? handling : linkHandling, limits: app.limits.bounded(by: stateLimit),
            client: client, isReplayed: isReplayed, at: origin, knowing: changes)
    }

    /// Builds the tree of the first revision of a recorded session.
    ///
    /// - Throws: `ReplayError` for invalid options; otherwise the errors of
    ///   `tree(stateLimit:handling:isReplayed:knowing:)`.
    func recordedTree(
        stateLimit: Int, handling: LinkHandling = .follow, isReplayed: Bool = false, knowing changes: [String]? = nil
    ) throws -> sending Tree {
        do {
            return try tree(stateLimit: stateLimit, handling: handling, isReplayed: isReplayed, knowing: changes)
        } catch let error as JSONError {
            throw ReplayError.invalidOptions("\(error)")
        }
    }
}

extension Creation {
    /// Returns the history's first entry, without the secrets if replay does not need them.
    func entry(leadingTo tree: Tree, by build: UInt64) -> Entry {
        entry(leadingTo: tree, by: build, erased: !tree.takeErasableRevisions().isEmpty)
    }

    /// Returns the history's first entry, with or without secrets.
    func entry(leadingTo tree: Tree, by build: UInt64, erased isErased: Bool) -> Entry {
        let entry = Entry(
            .creation, revision: origin.revision, at: time, leadingTo: StateMark(tree, from: origin.identifiers),
            payload(tree.inputSecrets), facts: StepFacts.json(of: tree, build: build))
        return isErased ? entry.erased : entry
    }

    /// Returns the payload of the history's first entry.
    func payload(_ places: SecretPlaces) -> Payload {
        var writer = JSONWriter(reservingCapacity: 128)
        writer.beginObject()
        writer.member("app", appName)
        writer.key("seed")
        writer.integer(seed)
        writer.key("options")
        var secrets = places.write(options: options, into: &writer)
        if !link.isEmpty {
            writer.key("open")
            secrets += places.write(link: link, into: &writer)
        }
        if let subject { writer.member("subject", subject) }
        if linkHandling == .keep { writer.member("waits", true) }
        if client != Client() {
            writer.key("client")
            client.write(into: &writer)
        }
        if origin.revision > 1 {
            writer.key("startedOver")
            origin.write(into: &writer)
        }
        writer.endObject()
        return Payload(json: writer.bytes, secrets: secrets)
    }

    /// Parses a session's first entry.
    ///
    /// - Throws: `JSONError` if the payload has another shape; `ReplayError` if this build has no such app.
    init(_ json: JSONValue, _ entry: Entry, apps: [any App.Type]) throws {
        guard let name = json[member: "app"]?.string, let seed = json[member: "seed"],
            let options = json[member: "options"]
        else { throw json.error("expected app, seed and options") }
        guard let app = apps.app(named: name) else { throw ReplayError.unknownApp(name) }
        self.init(
            app: app, options: Array(options.bytes), link: json[member: "open"].map { Array($0.elements) } ?? [],
            handling: json[member: "waits"]?.boolean == true ? .keep : .follow,
            client: json[member: "client"].map { Client(recorded: $0) } ?? Client(),
            seed: try seed.decode(UInt64.self), time: Timestamp(milliseconds: entry.time),
            subject: json[member: "subject"]?.string, isErased: entry.isErased)
        copiedRevision = try CopyOrigin.revision(in: json)
        if let remains = json[member: "startedOver"] {
            origin = try TreeOrigin(remains, at: entry.revision, from: NextIdentifiers(entry.before))
        }
    }
}

struct Payload {
    let json: [UInt8]
    /// The places of secrets in the payload: whole JSON values, in order.
    let secrets: [Range<Int>]
}

extension Input {
    var entryKind: Entry.Kind {
        switch link {
        case .follow: .input
        case .keep: .inputKeepingLink
        case .drop: .inputDroppingLink
        }
    }

    /// Writes the payload of the input's entry into a writer, which must be empty.
    ///
    /// An action has the form in which clients send it. If a link was dropped, the payload is an object with the reason
    /// and the input.
    ///
    /// - Returns: The places of secrets in the writer's bytes: whole JSON values, in order.
    func writePayload(_ places: SecretPlaces, into writer: inout JSONWriter) -> [Range<Int>] {
        guard case .drop(let reason) = link else { return write(into: &writer, secrets: places) }
        writer.beginObject()
        writer.member("reason", reason)
        writer.key("input")
        let secrets = write(into: &writer, secrets: places)
        writer.endObject()
        return secrets
    }

    /// Parses an entry's input.
    ///
    /// - Throws: `JSONError` if the payload has another shape.
    init(_ entry: Entry) throws(JSONError) {
        let payload = try JSONDocument(written: entry.payload).root
        let time = Timestamp(milliseconds: entry.time)
        guard entry.kind == .inputDroppingLink else {
            try self.init(
                payload: payload, at: time, link: entry.kind == .inputKeepingLink ? .keep : .follow,
                isErased: entry.isErased)
            return
        }
        guard let input = payload[member: "input"], let reason = payload[member: "reason"]?.string else {
            throw payload.error("expected an input, and the reason why its link was dropped")
        }
        try self.init(payload: input, at: time, link: .drop(reason), isErased: entry.isErased)
    }
}

extension Entry {
    init(
        _ kind: Kind, revision: Int, at time: Timestamp, leadingTo mark: StateMark, _ payload: Payload,
        facts: [UInt8] = []
    ) {
        self.init(
            kind, revision: revision, time: time.milliseconds, before: .init(mark.before), after: .init(mark.after),
            digest: mark.digest, visible: mark.visible, payload: payload.json, facts: facts, secrets: payload.secrets)
    }

    /// The options of a creation's entry; `nil` if they must not be shown (`Tree.options`).
    var toldOptions: [UInt8]? {
        guard kind == .creation, secrets.isEmpty, !isErased else { return nil }
        let options = (try? JSONDocument(parsing: payload).root[member: "options"]).map { Array($0.bytes) }
        return options.flatMap { Tree.tells($0) ? $0 : nil }
    }

    var client: Client {
        guard kind == .creation, let client = try? JSONDocument(parsing: payload).root[member: "client"] else {
            return Client()
        }
        return Client(recorded: client)
    }

    /// The input without private data, such as `event close`.
    var summary: String {
        switch kind {
        case .creation: "create"
        case .divergence: "divergence"
        case .input, .inputKeepingLink, .inputDroppingLink: (try? Input(self))?.summary ?? "input"
        }
    }
}

extension LinkHandling {
    /// Parses the members of an object that contain a handling; `nil` if there are none, so that the link is followed.
    init?(in object: JSONValue) {
        if let reason = object[member: "drop"]?.string {
            self = .drop(reason)
        } else if object[member: "keep"]?.boolean == true {
            self = .keep
        } else {
            return nil
        }
    }

    /// Writes the handling as a member of an object; writes nothing if the link is followed.
    func write(into writer: inout JSONWriter) {
        switch self {
        case .follow: break
        case .keep: writer.member("keep", true)
        case .drop(let reason): writer.member("drop", reason)
        }
    }
}
