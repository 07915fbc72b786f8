/// A build's verdict that it must not serve a session; it stands while the session's record has the version that was judged.
package struct SessionHold: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The build that must not serve it.
    package let build: UInt64
    /// The version of the record that was judged; nil if its header cannot be read.
    package let version: RecordVersion?
    /// The build that wrote the record, if that build may serve the session.
    package let writer: UInt64?
    /// The kind of the reason, by which sessions on hold are counted.
    package let kind: String
    /// The reason, as the sessions' own code writes and reads it.
    package let reason: [UInt8]

    /// In milliseconds, the time for which a journal keeps the verdicts of a build after its last server is gone.
    package static let lifetime: Int64 = 7 * 24 * 60 * 60_000

    /// Makes a verdict.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - build: The build that must not serve it.
    ///   - version: The version of the record that was judged; nil if its header cannot be read.
    ///   - writer: The build that wrote the record, if that build may serve the session.
    ///   - kind: The kind of the reason.
    ///   - reason: The reason.
    package init(
        on key: JournalKey, by build: UInt64, at version: RecordVersion?, writtenBy writer: UInt64?, kind: String,
        reason: [UInt8]
    ) {
        self.key = key
        self.build = build
        self.version = version
        self.writer = writer
        self.kind = kind
        self.reason = reason
    }

    /// Returns a Boolean value indicating whether the verdict stands.
    ///
    /// - Parameter head: The session's head; nil if there is no such session. Call it only if the head can be read.
    package func stands(upon head: RecordHead?) -> Bool {
        guard let head, head.header.ending == nil else { return false }
        return version.map { $0 == RecordVersion(head.header, head.token) } ?? true
    }
}

/// The version of a session's record, by which a verdict on it is known to stand still.
package struct RecordVersion: Equatable, Sendable {
    /// The revision of the newest entry.
    package let revision: Int
    /// The mark of the newest write; nil if one server alone writes the journal.
    package let mark: UInt64?

    /// Makes a version.
    ///
    /// - Parameters:
    ///   - head: The record's header.
    ///   - token: The record's version, if several servers write the journal.
    package init(_ head: SessionHeader, _ token: RecordToken?) {
        (revision, mark) = (head.revision, token?.mark)
    }

    fileprivate init(revision: Int, mark: UInt64?) { (self.revision, self.mark) = (revision, mark) }
}

/// A change of the verdicts in a journal.
package enum HoldChange: Sendable {
    /// A verdict takes the place of the build's earlier one on the session; one that does not stand changes nothing.
    case hold(SessionHold)
    /// The build may serve the session.
    case lift(JournalKey, build: UInt64)
}

extension SessionHold {
    /// The verdict as a row's bytes; its session stands beside them.
    package var bytes: [UInt8] {
        var writer = ByteWriter(reservingCapacity: 64 + reason.count)
        writer.littleEndian(build, count: 8)
        writer.optional(version) { writer, version in
            writer.integer(version.revision)
            writer.optional(version.mark) { $0.littleEndian($1, count: 8) }
        }
        writer.optional(self.writer) { $0.littleEndian($1, count: 8) }
        writer.text(kind)
        writer.bytes(reason)
        return writer.sealed(for: key)
    }

    /// Reads a verdict.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes` once was.
    ///   - key: The session that stands beside them.
    /// - Throws: `EntryError`.
    package init(_ bytes: [UInt8], of key: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: key)
        self.key = key
        build = try reader.littleEndian(count: 8)
        version = try reader.optional { reader throws(EntryError) in
            RecordVersion(
                revision: try reader.integer(),
                mark: try reader.optional { reader throws(EntryError) in try reader.littleEndian(count: 8) })
        }
        writer = try reader.optional { reader throws(EntryError) in try reader.littleEndian(count: 8) }
        kind = try reader.text()
        reason = try reader.bytes()
        guard reader.isAtEnd else { throw .malformed }
    }
}

extension ByteWriter {
    fileprivate mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        byte(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }
}

extension ByteReader {
    fileprivate mutating func optional<Value>(
        _ read: (inout ByteReader) throws(EntryError) -> Value
    ) throws(EntryError) -> Value? {
        switch try byte() {
        case 0: return nil
        case 1: return try read(&self)
        default: throw .malformed
        }
    }
}

/// The verdicts of a journal in memory.
package struct HoldList: Sendable {
    private var builds: [UInt64: [JournalKey: SessionHold]] = [:]

    /// Makes an empty list.
    package init() {}

    /// Makes a change; whether a verdict stands is looked at only when it is read.
    package mutating func apply(_ change: HoldChange) {
        switch change {
        case .hold(let hold): builds[hold.build, default: [:]][hold.key] = hold
        case .lift(let key, let build): builds[build]?[key] = nil
        }
    }

    /// Forgets the verdicts on a session that is over.
    package mutating func remove(_ key: JournalKey) {
        for build in builds.keys { builds[build]?[key] = nil }
    }

    /// The verdicts of a build that stand, in the order of their sessions.
    ///
    /// - Parameters:
    ///   - build: The build.
    ///   - keys: The range of the sessions.
    ///   - head: Returns a session's head; nil if there is no such session.
    package func standing(
        for build: UInt64, in keys: ClosedRange<JournalKey> = JournalKey.all, _ head: (JournalKey) -> RecordHead?
    ) -> [SessionHold] {
        (builds[build] ?? [:]).values.filter { keys.contains($0.key) && $0.stands(upon: head($0.key)) }
            .sorted { $0.key < $1.key }
    }
}
