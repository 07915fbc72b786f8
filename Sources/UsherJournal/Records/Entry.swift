/// An accepted input of a session, and the results that a replay of this input must reproduce.
package struct Entry: Equatable, Sendable {
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// The creation of the session or of a new history, which is always the record's first entry.
        case creation = 1
        /// A user's action, the result of an effect, a timer, or a backend's message. The payload shows which.
        case input = 2
        /// An input after which a link still waits.
        case inputKeepingLink = 3
        /// An input that discarded a waiting link.
        case inputDroppingLink = 4
        /// A divergence: a build could not reproduce all entries, and resumed the session at an earlier revision.
        case divergence = 5
    }

    /// The next free ids of a tree.
    package struct FreeIdentifiers: Equatable, Sendable {
        package var screen: Int
        package var coordinator: Int

        package init(screen: Int, coordinator: Int) {
            self.screen = screen
            self.coordinator = coordinator
        }
    }

    package let kind: Kind
    /// The revision after the input; 1 for the creation.
    package let revision: Int
    package let time: Int64
    /// The free ids before the input, with which a replay of the input starts.
    package let before: FreeIdentifiers
    /// The free ids after the input, which are never less than the free ids before the input.
    package let after: FreeIdentifiers
    /// A digest of the state after the input.
    package let digest: UInt64
    /// The visible screen after the input, for people: for example, `login 5`; empty if no screen was visible.
    package let visible: String
    /// The input as JSON.
    package let payload: [UInt8]
    /// The facts that a replay by another build needs, as a JSON object without secrets; empty if there are no facts.
    package let facts: [UInt8]
    /// The ranges of the secrets in the payload, in order; each range is a whole JSON value.
    package let secrets: [Range<Int>]
    /// A Boolean value that indicates whether the secrets were replaced by `null`.
    package let isErased: Bool

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
    /// The payload for display, with an ellipsis instead of each secret.
    package var maskedPayload: [UInt8] { replacingSecrets(with: Array("\"…\"".utf8)).payload }

    /// The entry with `null` instead of each secret; a replay of this entry gets secrets that cannot be read.
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
    /// The bit in the byte of the kind that is set if facts follow the payload.
    fileprivate static let factsFlag: UInt8 = 0x40

    /// The maximum size of the numbers before the visible screen: the kind, six numbers in LEB128, and the digest.
    private static var numbersLimit: Int { 1 + 6 * OutputSpan<UInt8>.variableLengthLimit + 8 }

    /// Returns the entry as a row's bytes.
    ///
    /// A row consists of these parts: a version; the kind; the revision, the time, the free ids before the input, and
    /// the growth of the free ids by the input (in LEB128); the digest (8 bytes, little endian); the visible screen;
    /// the payload; if present, the facts; if present, the secrets; and a CRC-32C of the session's key and all other
    /// parts.
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

    /// Parses an entry, which must belong to the given session.
    ///
    /// - Throws: `EntryError`, for example if the checksum shows that bytes have changed.
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

/// The fields of an entry that can be read without checking or copying the entry's bytes.
package struct EntryOutline: Equatable, Sendable {
    /// The revision after the input.
    package let revision: Int
    /// The time of the input in milliseconds since 1970.
    package let time: Int64
    /// A Boolean value that indicates whether the entry has secrets, erased or not.
    package let holdsSecrets: Bool

    /// Reads an entry's outline from the result of `Entry.bytes(of:)`.
    package init(_ bytes: [UInt8]) {
        // Starts after the version and the kind.
        var position = 2
        revision = Int(truncatingIfNeeded: Self.number(in: bytes, at: &position))
        time = Int64(bitPattern: Self.number(in: bytes, at: &position))
        // Skips four ids, the digest, the visible screen, the payload, and the facts if the entry has facts.
        for _ in 0..<4 { _ = Self.number(in: bytes, at: &position) }
        position += 8
        let hasFacts = bytes.count > 1 && bytes[1] & Entry.factsFlag != 0
        for _ in 0..<(hasFacts ? 3 : 2) {
            let count = Self.number(in: bytes, at: &position)
            position = UInt64(bytes.count) < count ? bytes.count : position + Int(count)
        }
        holdsSecrets = position < bytes.count - ByteWriter.checksumSize
    }

    /// Reads a number in LEB128; ignores bits beyond 64 and bytes beyond the end.
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
    /// Returns `true` if an entry has secrets, erased or not, without parsing the whole entry.
    ///
    /// - Parameter bytes: The result of `bytes(of:)`. For other bytes, the function's result is undefined.
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
