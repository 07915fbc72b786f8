/// A build's verdict that the build must not serve a session, valid until the version of the session's record changes.
package struct SessionHold: Equatable, Sendable {
    package let key: JournalKey
    /// The build that must not serve the session.
    package let build: UInt64
    /// The version of the record that the build has judged; nil if the record's header cannot be read.
    package let version: RecordVersion?
    /// The build that wrote the record, if that build may still serve the session.
    package let writer: UInt64?
    /// The kind of the reason, by which journals count verdicts.
    package let kind: String
    /// The reason, encoded by `UsherSessions`.
    package let reason: [UInt8]

    /// The milliseconds for which a build's verdicts are stored after the build was last seen.
    package static let lifetime: Int64 = 7 * 24 * 60 * 60_000

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

    /// Returns `true` if the verdict is still valid.
    ///
    /// - Parameter head: The session's head, which must be readable; nil if there is no such session.
    package func stands(upon head: RecordHead?) -> Bool {
        guard let head, head.header.ending == nil else { return false }
        return version.map { $0 == RecordVersion(head.header, head.token) } ?? true
    }
}

/// The version of a session's record, which decides whether a verdict is still valid.
package struct RecordVersion: Equatable, Sendable {
    package let revision: Int
    /// The random number of the newest write; nil if only one server writes the journal.
    package let mark: UInt64?

    package init(_ head: SessionHeader, _ token: RecordToken?) {
        (revision, mark) = (head.revision, token?.mark)
    }

    fileprivate init(revision: Int, mark: UInt64?) { (self.revision, self.mark) = (revision, mark) }
}

/// A change of the verdicts in a journal.
package enum HoldChange: Sendable {
    /// Replaces the build's earlier verdict on the session. If the new verdict is no longer valid, nothing changes.
    case hold(SessionHold)
    /// Deletes the verdict, because the build may serve the session.
    case lift(JournalKey, build: UInt64)
}

extension SessionHold {
    /// The verdict as a row's bytes, without its session, which is stored separately.
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

    /// Parses a verdict from the value of `bytes`.
    ///
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

    package init() {}

    /// Applies a change; the list checks whether a verdict is still valid only when the verdict is read.
    package mutating func apply(_ change: HoldChange) {
        switch change {
        case .hold(let hold): builds[hold.build, default: [:]][hold.key] = hold
        case .lift(let key, let build): builds[build]?[key] = nil
        }
    }

    /// Deletes the verdicts on a session that has ended.
    package mutating func remove(_ key: JournalKey) {
        for build in builds.keys { builds[build]?[key] = nil }
    }

    /// Returns a build's valid verdicts in the order of their sessions.
    ///
    /// - Parameter head: Returns a session's head; nil if there is no such session.
    package func standing(
        for build: UInt64, in keys: ClosedRange<JournalKey> = JournalKey.all, _ head: (JournalKey) -> RecordHead?
    ) -> [SessionHold] {
        (builds[build] ?? [:]).values.filter { keys.contains($0.key) && $0.stands(upon: head($0.key)) }
            .sorted { $0.key < $1.key }
    }
}
