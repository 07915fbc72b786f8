package import Usher
package import UsherJSON
package import UsherJournal

/// A session's entries as JSON, with which the same build can open another session in the same state.
///
/// Each secret is replaced by `null`. If a handler reads such a secret during a replay, the handler fails.
package struct SessionArchive: Sendable {
    package let app: String
    /// The build that exported the session.
    package let build: String
    /// The entries, the first of which is a creation; the revisions are consecutive.
    package private(set) var entries: [Entry]

    package init(_ entries: [Entry], of app: String, among apps: [any App.Type], by build: String) {
        let type = apps.app(named: app)
        self.entries = entries.map { entry in
            guard !entry.secrets.isEmpty else { return entry }
            return (type.map { entry.narrowingSecrets(by: $0) } ?? entry).erased
        }
        self.app = app
        self.build = build
    }

    /// Creates an archive of inputs that no journal recorded, whose values are an author's examples and contain no
    /// secrets.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - options: The options as JSON.
    ///   - seed: The seed of the session's random numbers.
    ///   - time: The time at which the session is opened.
    ///   - opened: The mark (`StateMark`) of the state after the opening.
    ///   - inputs: The inputs, each with the mark of the state after it.
    ///   - build: This build.
    package init(
        opening app: any App.Type, options: [UInt8], seed: UInt64, at time: Timestamp, leadingTo opened: StateMark,
        inputs: [(input: Input, mark: StateMark)], by build: String
    ) {
        let creation = Creation(app: app, options: options, link: [], client: Client(), seed: seed, time: time)
        let first = Entry(
            .creation, revision: 1, at: time, leadingTo: opened, creation.payload(SecretPlaces()))
        let others = inputs.enumerated().map { index, tried in
            var writer = JSONWriter()
            let secrets = tried.input.writePayload(SecretPlaces(), into: &writer)
            return Entry(
                tried.input.entryKind, revision: index + 2, at: tried.input.time, leadingTo: tried.mark,
                Payload(json: writer.bytes, secrets: secrets))
        }
        (self.app, self.build, entries) = (app.name, build, [first] + others)
    }

    /// The archive as JSON, with payloads as strings, so that their bytes stay the same if a program rewrites the JSON.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("usher", Self.form)
            writer.member("app", app)
            writer.member("build", build)
            writer.objects("entries", of: entries) { $1.writeMembers(into: &$0) }
        }
    }

    /// Creates an archive from JSON.
    ///
    /// - Throws: `JSONError` if the JSON is not an archive, or no session can have such entries.
    package init(_ json: JSONValue) throws(JSONError) {
        guard json[member: "usher"]?.string == Self.form, let app = json[member: "app"]?.string,
            let build = json[member: "build"]?.string, let entries = json[member: "entries"], entries.kind == .array
        else {
            throw json.error("expected an export of a session, as from GET /admin/sessions/{id}/export?as=json")
        }
        try json.allowOnly(["usher", "app", "build", "entries"])
        self.app = app
        self.build = build
        var read: [Entry] = []
        for entry in entries.elements { read.append(try Entry(archived: entry, after: read.last)) }
        guard let first = read.first else { throw entries.error("expected the entries of a session") }
        guard try JSONDocument(parsing: first.payload).root[member: "app"]?.string == app else {
            throw json.error("expected the same app as in the first entry")
        }
        self.entries = read
    }

    private static let form = "session 1"

    /// Replays the entries in a child process, because entries from outside could crash this process.
    ///
    /// At `time`, the current time, running effects fail and due timers fire. `runner` is `nil` if the server does not
    /// isolate crashes.
    ///
    /// - Throws: `SessionError.notOpened` if the entries crash the child process; `notTried` if no child process could
    ///   run them.
    func run(as id: SessionID, at time: Timestamp, by runner: (any IsolatedRunner)?) async throws(SessionError) {
        guard let runner else { return }
        switch await runner.outcome(of: IsolatedRun(of: id, app, entries, copiedAt: time)) {
        case .ended: return
        case .untried(let reason): throw .notTried(cause: reason)
        case .crashes(let crash):
            let step = crash.revision.map { "its revision \($0)" } ?? "the end of its running work"
            throw .notOpened(
                Rejection(.invalid, "this export cannot be repeated, because \(step) crashes the process (\(crash))"))
        }
    }

    /// Returns the archive as the entries of a new session.
    ///
    /// - Throws: `SessionError.notOpened` for a creation that no build writes.
    func copied() throws(SessionError) -> SessionArchive {
        var copy = self
        do throws(JSONError) { copy.entries = try entries.copied(from: .export) } catch {
            throw .notOpened(Rejection(.invalid, "this export cannot be repeated: \(error)"))
        }
        return copy
    }

    /// Builds the tree of the entries.
    ///
    /// - Throws: `SessionError.notOpened` if this build gets another result, or if the session ends in the entries.
    func tree(as id: SessionID, _ settings: SessionSettings) async throws(SessionError) -> sending Tree {
        let replay = settings.replay(entries, of: id, app)
        let box: SendingBox<Tree>
        do {
            box = try await withTaskExecutorPreference(settings.threads.replays) {
                SendingBox(try await Self.walk(replay))
            }
        } catch {
            throw .notOpened(Rejection(.invalid, "this export cannot be repeated: \(error)"))
        }
        guard let tree = box.take(), tree.ending == nil else {
            throw .notOpened(
                Rejection(.invalid, "this export cannot be repeated, because the exported session has ended"))
        }
        return tree
    }

    /// Replays the entries, and compares the names of the visible screens, because the digests do not include these
    /// names.
    private static func walk(_ replay: Replay) async throws -> sending Tree {
        let history = try EffectiveHistory(replay.entries)
        var shown: [String] = []
        let tree = try await replay.tree(along: history, noting: &shown) { $0.visibleScreen }
        for (entry, screen) in zip(history.entries, shown) where entry.visible != screen {
            throw Divergence(entry, found: Replay.name(screen))
        }
        return tree
    }
}

extension Entry {
    fileprivate func writeMembers(into writer: inout JSONWriter) {
        writer.member("kind", kind.name)
        writer.member("revision", revision)
        writer.member("time", Int(time))
        writer.member("before", [before.screen, before.coordinator])
        writer.member("after", [after.screen, after.coordinator])
        writer.member("digest", String(digest, radix: 16))
        writer.member("visible", visible)
        writer.member("payload", String(decoding: payload, as: UTF8.self))
        if !facts.isEmpty { writer.member("facts", String(decoding: facts, as: UTF8.self)) }
        if !secrets.isEmpty { writer.member("secrets", secrets.flatMap { [$0.lowerBound, $0.upperBound] }) }
    }

    /// Creates an entry from an archive.
    ///
    /// - Throws: `JSONError` if no session can have the entry after the previous one.
    fileprivate init(archived json: JSONValue, after previous: Entry?) throws(JSONError) {
        // If the session has started over, the archive contains only the newest history.
        let first = json[member: "revision"]?.integer ?? 1
        let revision = previous.map { $0.revision + 1 } ?? min(max(1, first), Self.maximum)
        try json.allowOnly([
            "kind", "revision", "time", "before", "after", "digest", "visible", "payload", "facts",
            "secrets",
        ])
        guard let kind = Kind.allCases.first(where: { $0.name == json[member: "kind"]?.string }),
            (kind == .creation) == (previous == nil), json[member: "revision"]?.integer == revision
        else { throw json.error("expected the entry of revision \(revision), and a creation as the first entry") }
        guard let time = json[member: "time"]?.integer, Self.times.contains(time),
            let before = Self.identifiers(json[member: "before"]),
            let after = Self.identifiers(json[member: "after"]), after.screen >= before.screen,
            after.coordinator >= before.coordinator, before.screen >= previous?.after.screen ?? 1,
            before.coordinator >= previous?.after.coordinator ?? 1,
            let digest = json[member: "digest"]?.string.flatMap({ UInt64($0, radix: 16) }),
            let visible = json[member: "visible"]?.string, let payload = json[member: "payload"]?.string
        else { throw json.error("expected the time, ids, digest, screen and payload of an entry") }
        let secrets = try Self.secrets(json[member: "secrets"], in: Array(payload.utf8))
        let facts = Array((json[member: "facts"]?.string ?? "").utf8)
        self.init(
            kind, revision: revision, time: Int64(time), before: before, after: after, digest: digest, visible: visible,
            payload: Array(payload.utf8), facts: facts, secrets: secrets, isErased: !secrets.isEmpty)
        do throws(JSONError) {
            guard try StepFacts(self).arePossible(in: self, within: Self.times) else {
                throw json.error("expected only facts that this kind of entry can have")
            }
        } catch {
            throw json.error("expected the facts of an entry: \(error)")
        }
        if kind == .creation, revision > 1 {
            guard try JSONDocument(parsing: self.payload).root[member: "startedOver"] != nil else {
                throw json.error("expected a session that begins with revision 1 or with a start-over")
            }
        }
        if kind == .divergence {
            let resumed = try Resumption(self).revision
            guard (0..<revision).contains(resumed) else {
                throw json.error("expected a divergence that resumes an earlier revision")
            }
        }
    }

    private static func identifiers(_ json: JSONValue?) -> FreeIdentifiers? {
        guard let numbers = json?.integers, numbers.count == 2, numbers.allSatisfy({ (1...maximum).contains($0) })
        else { return nil }
        return FreeIdentifiers(screen: numbers[0], coordinator: numbers[1])
    }

    /// The largest id or revision in an archive.
    private static let maximum = Int(Int32.max) / 2
    /// The possible times: from 1970 to the end of the year 9999, in milliseconds.
    private static let times = 0...253_402_300_799_999

    /// Returns the places of secrets in a payload; each secret was a whole value, which `null` has replaced.
    private static func secrets(_ json: JSONValue?, in payload: [UInt8]) throws(JSONError) -> [Range<Int>] {
        guard let json else { return [] }
        var places = try JSONDocument(written: payload).root.nulls
        guard let bounds = json.integers, bounds.count % 2 == 0 else {
            throw json.error("expected the places of secrets")
        }
        var secrets: [Range<Int>] = []
        for index in stride(from: 0, to: bounds.count, by: 2) {
            while let place = places.first, place.lowerBound < bounds[index] { places.removeFirst() }
            guard let place = places.first, place.lowerBound == bounds[index], place.upperBound == bounds[index + 1]
            else { throw json.error("expected the places of secrets, in order, each with null in the payload") }
            secrets.append(place)
            places.removeFirst()
        }
        return secrets
    }
}

extension JSONValue {
    fileprivate var integers: [Int]? {
        guard kind == .array else { return nil }
        let (all, numbers) = (elements.map { $0 }, elements.compactMap(\.integer))
        return all.count == numbers.count ? numbers : nil
    }

    fileprivate var nulls: ArraySlice<Range<Int>> {
        switch kind {
        case .null: [range]
        case .array: elements.reduce(into: []) { $0 += $1.nulls }
        case .object: members.reduce(into: []) { $0 += $1.value.nulls }
        default: []
        }
    }

    /// Checks that an object has no members with other names; throws an error that names an unknown member.
    fileprivate func allowOnly(_ names: Set<String>) throws(JSONError) {
        for (name, value) in members where !names.contains(name) { throw value.error("unknown member \"\(name)\"") }
    }
}
