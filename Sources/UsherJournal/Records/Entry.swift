/// One accepted input of a session, with what must be the same when it is replayed.
package struct Entry: Equatable, Sendable {
    /// The kinds of payloads.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// The session's creation: always the first.
        case creation = 1
        /// An action of a user, the result of an effect or a timer, or a message of a backend: the payload says which.
        case input = 2
        /// The same, with a link left waiting.
        case inputKeepingLink = 3
        /// The same, with a link that waited dropped.
        case inputDroppingLink = 4
        /// A build that could not follow all entries before: it went on from an earlier one.
        case divergence = 5
    }

    /// The next free ids of a tree.
    package struct FreeIdentifiers: Equatable, Sendable {
        /// The id that the next screen gets.
        package var screen: Int
        /// The id that the next coordinator gets.
        package var coordinator: Int

        /// Makes ids.
        ///
        /// - Parameters:
        ///   - screen: The id that the next screen gets.
        ///   - coordinator: The id that the next coordinator gets.
        package init(screen: Int, coordinator: Int) {
            self.screen = screen
            self.coordinator = coordinator
        }
    }

    /// The kind of its payload.
    package let kind: Kind
    /// The revision that it led to; the creation's is 1.
    package let revision: Int
    /// The time at which it came: milliseconds since 1970.
    package let time: Int64
    /// The ids that were free before it: replay starts from these.
    package let before: FreeIdentifiers
    /// The ids that were free after it: never less than before.
    package let after: FreeIdentifiers
    /// A digest of what it led to.
    package let digest: UInt64
    /// The visible screen that it led to, such as `login 5`, for people; empty where none was.
    package let visible: String
    /// The input as JSON.
    package let payload: [UInt8]
    /// The facts that a replay by another build needs, as one JSON object without secrets; empty if there are none.
    package let facts: [UInt8]
    /// The places of secrets in the payload: whole JSON values, in order.
    package let secrets: [Range<Int>]
    /// True once these secrets were erased: `null` stands there.
    package let isErased: Bool

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - kind: The kind of its payload.
    ///   - revision: The revision that it led to.
    ///   - time: When it came: milliseconds since 1970.
    ///   - before: The ids that were free before it.
    ///   - after: The ids that were free after it.
    ///   - digest: A digest of what it led to.
    ///   - visible: The visible screen that it led to.
    ///   - payload: The input as JSON.
    ///   - facts: The facts that a replay by another build needs, as one JSON object.
    ///   - secrets: Where in the payload secrets stand.
    ///   - isErased: Whether these were erased.
    package init(
        _ kind: Kind, revision: Int, time: Int64, before: FreeIdentifiers, after: FreeIdentifiers, digest: UInt64,
        visible: String = "", payload: [UInt8], facts: [UInt8] = [], secrets: [Range<Int>] = [], isErased: Bool = false
    ) {
        self.kind = kind
        self.revision = revision
        self.time = time
        self.before = before
        self.after = after
        self.digest = digest
        self.visible = visible
        self.payload = payload
        self.facts = facts
        self.secrets = secrets
        self.isErased = isErased
    }
}

extension Entry {
    /// The payload with an ellipsis in the place of each secret: fit to be shown.
    package var maskedPayload: [UInt8] { replacingSecrets(with: Array("\"…\"".utf8)).payload }

    /// The entry without its secrets: `null` stands in their places, and replay gets secrets that nobody can read.
    package var erased: Entry {
        let (payload, secrets) = replacingSecrets(with: Array("null".utf8))
        return Entry(
            kind, revision: revision, time: time, before: before, after: after, digest: digest, visible: visible,
            payload: payload, facts: facts, secrets: secrets, isErased: !secrets.isEmpty)
    }

    private func replacingSecrets(with replacement: [UInt8]) -> (payload: [UInt8], secrets: [Range<Int>]) {
        var result: [UInt8] = []
        var places: [Range<Int>] = []
        var end = 0
        for secret in secrets {
            result += payload[end..<secret.lowerBound]
            places.append(result.count..<(result.count + replacement.count))
            result += replacement
            end = secret.upperBound
        }
        return (result + payload[end...], places)
    }
}

extension Entry {
    /// Set in the byte of the kind if facts follow the payload.
    fileprivate static let factsFlag: UInt8 = 0x40

    /// The bytes that the numbers before the visible screen may take: the kind, six in LEB128, the digest.
    private static var numbersLimit: Int { 1 + 6 * OutputSpan<UInt8>.variableLengthLimit + 8 }

    /// The entry as a row's bytes.
    ///
    /// A version, the kind, revision, time and free ids (LEB128, those after as growth), the digest (8 bytes, little
    /// endian), the visible screen, the payload, the facts and the secrets if there are any, and a CRC-32C over the session's
    /// key and all that.
    ///
    /// - Parameter key: The session.
    package func bytes(of key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: payload.count + facts.count + visible.utf8.count + 40)
        writer.append(atMost: Self.numbersLimit) { row in
            row.append(facts.isEmpty ? kind.rawValue : kind.rawValue | Self.factsFlag)
            row.append(variableLength: revision)
            row.append(variableLength: UInt64(bitPattern: time))
            row.append(variableLength: before.screen)
            row.append(variableLength: before.coordinator)
            row.append(variableLength: after.screen - before.screen)
            row.append(variableLength: after.coordinator - before.coordinator)
            row.append(littleEndian: digest, count: 8)
        }
        writer.text(visible)
        writer.bytes(payload)
        if !facts.isEmpty { writer.bytes(facts) }
        guard !secrets.isEmpty else { return writer.sealed(for: key) }
        writer.byte(isErased ? 1 : 0)
        writer.integer(secrets.count)
        for secret in secrets {
            writer.integer(secret.lowerBound)
            writer.integer(secret.count)
        }
        return writer.sealed(for: key)
    }

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes(of:)` once was.
    ///   - key: The session that it must belong to.
    /// - Throws: `EntryError`: a changed byte is noticed by the checksum.
    package init(_ bytes: [UInt8], of key: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: key)
        let kindAndFlag = try reader.byte()
        guard let kind = Kind(rawValue: kindAndFlag & ~Self.factsFlag) else { throw .malformed }
        let revision = try reader.integer()
        let time = try reader.time()
        let before = FreeIdentifiers(screen: try reader.integer(), coordinator: try reader.integer())
        let after = FreeIdentifiers(
            screen: try Self.sum(before.screen, reader.integer()),
            coordinator: try Self.sum(before.coordinator, reader.integer()))
        let digest = try reader.littleEndian(count: 8)
        let visible = try reader.text()
        let payload = try reader.bytes()
        let facts = kindAndFlag & Self.factsFlag == 0 ? [] : try reader.bytes()
        var isErased = false
        var secrets: [Range<Int>] = []
        if !reader.isAtEnd {
            isErased = try reader.byte() == 1
            secrets = try reader.secrets(within: payload.count)
        }
        guard reader.isAtEnd else { throw .malformed }
        self.init(
            kind, revision: revision, time: time, before: before, after: after, digest: digest, visible: visible,
            payload: payload, facts: facts, secrets: secrets, isErased: isErased)
    }

    private static func sum(_ number: Int, _ growth: Int) throws(EntryError) -> Int {
        let (sum, overflow) = number.addingReportingOverflow(growth)
        guard !overflow else { throw .malformed }
        return sum
    }
}

extension ByteReader {
    fileprivate mutating func secrets(within end: Int) throws(EntryError) -> [Range<Int>] {
        var secrets: [Range<Int>] = []
        for _ in 0..<(try integer()) {
            let start = try integer()
            let count = try integer()
            let (stop, overflow) = start.addingReportingOverflow(count)
            guard start >= secrets.last?.upperBound ?? 0, !overflow, stop <= end else { throw .malformed }
            secrets.append(start..<stop)
        }
        return secrets
    }
}

/// The fields of an entry that can be told from its bytes without checking or copying them.
package struct EntryOutline: Equatable, Sendable {
    /// The revision that it led to.
    package let revision: Int
    /// The time at which it came: milliseconds since 1970.
    package let time: Int64
    /// True where it holds secrets, erased or not.
    package let holdsSecrets: Bool

    /// Looks at an entry.
    ///
    /// - Parameter bytes: What `Entry.bytes(of:)` has returned; of others nothing is promised.
    package init(_ bytes: [UInt8]) {
        // After the version and the kind.
        var position = 2
        revision = Int(truncatingIfNeeded: Self.number(in: bytes, at: &position))
        time = Int64(bitPattern: Self.number(in: bytes, at: &position))
        // Four ids; the digest; the visible screen, the payload, and the facts if there are any.
        for _ in 0..<4 { _ = Self.number(in: bytes, at: &position) }
        position += 8
        let hasFacts = bytes.count > 1 && bytes[1] & Entry.factsFlag != 0
        for _ in 0..<(hasFacts ? 3 : 2) {
            let count = Self.number(in: bytes, at: &position)
            position = UInt64(bytes.count) < count ? bytes.count : position + Int(count)
        }
        holdsSecrets = position < bytes.count - ByteWriter.checksumSize
    }

    /// A number in LEB128, of which what is beyond 64 bits or the end is cut.
    private static func number(in bytes: [UInt8], at position: inout Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return number
    }
}

extension Entry {
    /// True where an entry's bytes hold secrets, erased or not: so much can be told without reading it.
    ///
    /// - Parameter bytes: What `bytes(of:)` has returned; of others nothing is promised.
    package static func holdsSecrets(_ bytes: [UInt8]) -> Bool {
        EntryOutline(bytes).holdsSecrets
    }
}

extension Entry.Kind {
    /// The name in JSON.
    package var name: String {
        switch self {
        case .creation: "creation"
        case .input: "input"
        case .inputKeepingLink: "inputKeepingLink"
        case .inputDroppingLink: "inputDroppingLink"
        case .divergence: "divergence"
        }
    }
}
