import Usher
import UsherJSON
import UsherJournal

/// A trial as bytes, for the child process that makes it: parts with their lengths before them.
///
/// The first part is JSON: the app, the session, and the circumstances of the input; then comes the input's payload, and
/// then the session's entries, each sealed as in the journal.
package enum TrialMessage {
    /// A message that no build writes: one sentence for whoever has sent it.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        /// The mistake.
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Bytes of a message at most: a session's, with room for what stands around its entries.
    package static let limit = 128 * 1024 * 1024
    /// Bytes of a length.
    package static let lengthSize = 4

    /// Writes a trial, with the length of all that before it.
    package static func bytes(of trial: Trial) -> [UInt8] {
        var body: [UInt8] = []
        let key = key(of: trial.session)
        for part in [head(of: trial), trial.input?.payload ?? []]
            + (trial.record?.entries.map { $0.bytes(of: key) } ?? [])
        {
            body += length(part.count)
            body += part
        }
        return framed(body)
    }

    /// Puts the length of a message before it.
    package static func framed(_ body: [UInt8]) -> [UInt8] { length(body.count) + body }

    /// Reads how long the message is that follows.
    ///
    /// - Throws: `Malformed` where it is longer than any.
    package static func length(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Int {
        let length = bytes.prefix(lengthSize).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else { throw Malformed("a trial has at most \(limit) bytes, and not \(length)") }
        return length
    }

    /// Reads a trial, without the length before it.
    ///
    /// - Throws: `Malformed`.
    package static func trial(_ body: [UInt8]) throws(Malformed) -> Trial {
        var rest = body[...]
        let head = try head(try part(&rest))
        let payload = try part(&rest)
        let key = key(of: head.session)
        var entries: [[UInt8]] = []
        while !rest.isEmpty { entries.append(try part(&rest)) }
        let input = head.input.map { input in
            TrialInput(input.kind, upon: input.revision, payload: payload, time: input.time, link: input.link)
        }
        guard let session = head.session else {
            guard let input, entries.isEmpty else { throw Malformed("a trial without a session is that of a creation") }
            return Trial(creating: input, of: head.app)
        }
        guard !entries.isEmpty else { throw Malformed("a session begins with an entry") }
        // All that the rows of a record must agree on; nothing else of its header is needed.
        let header = SessionHeader(app: head.app, created: 0, revision: entries.count, time: 0, bytes: 0)
        do throws(JournalError) {
            let record = try SessionRecord(head: header.bytes(of: key), entries: entries, answers: [], of: key)
            return Trial(of: session, record, input: input, copiedAt: head.copiedAt)
        } catch {
            throw Malformed("\(error)")
        }
    }

    private static func key(of session: SessionID?) -> JournalKey {
        session?.journalKey ?? JournalKey(high: 0, low: 0)
    }

    private static func length(_ count: Int) -> [UInt8] {
        (0..<lengthSize).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }

    private static func part(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> [UInt8] {
        let length = try length(rest)
        guard rest.count >= lengthSize + length else { throw Malformed("a trial ends too early") }
        defer { rest = rest.dropFirst(lengthSize + length) }
        return Array(rest.dropFirst(lengthSize).prefix(length))
    }
}

extension TrialMessage {
    /// The first part.
    private struct Head {
        let app: String
        let session: SessionID?
        let input: TrialInput?
        let copiedAt: Timestamp?
    }

    private static func head(of trial: Trial) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("app")
        writer.string(trial.app)
        if let session = trial.session {
            writer.key("session")
            writer.string(session.text)
        }
        if let time = trial.copiedAt {
            writer.key("copied")
            writer.integer(Int(time.milliseconds))
        }
        if let input = trial.input { write(input, into: &writer) }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ input: TrialInput, into writer: inout JSONWriter) {
        for (name, number) in [
            ("kind", Int(input.kind.rawValue)), ("revision", input.revision), ("time", Int(input.time.milliseconds)),
        ] {
            writer.key(name)
            writer.integer(number)
        }
        input.link.write(into: &writer)
    }

    private static func head(_ json: [UInt8]) throws(Malformed) -> Head {
        do throws(JSONError) {
            let head = try JSONDocument(parsing: json).root
            guard let app = head[member: "app"]?.string else { throw head.error("expected an app") }
            let session = try head[member: "session"].map { value throws(JSONError) in try id(value) }
            let time = head[member: "copied"]?.integer.map { Timestamp(milliseconds: Int64($0)) }
            return Head(app: app, session: session, input: try input(head), copiedAt: time)
        } catch {
            throw Malformed("a trial does not begin with its circumstances: \(error)")
        }
    }

    private static func id(_ value: JSONValue) throws(JSONError) -> SessionID {
        guard let id = value.string.flatMap({ SessionID($0) }) else { throw value.error("expected a session's id") }
        return id
    }

    private static func input(_ head: JSONValue) throws(JSONError) -> TrialInput? {
        guard let number = head[member: "kind"] else { return nil }
        guard let kind = number.integer.flatMap({ UInt8(exactly: $0) }).flatMap({ GuiltyInput.Kind(rawValue: $0) }),
            kind != .replay, let revision = head[member: "revision"]?.integer, let time = head[member: "time"]?.integer
        else { throw number.error("expected a kind of input, with its revision and its time") }
        return TrialInput(
            kind, upon: revision, payload: [], time: Timestamp(milliseconds: Int64(time)),
            link: LinkHandling(in: head) ?? .follow)
    }
}
