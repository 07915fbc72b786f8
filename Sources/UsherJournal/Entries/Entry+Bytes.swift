extension Entry {
    /// The entry as a row's bytes.
    ///
    /// A version, the kind, revision, time and free ids (LEB128, those after as growth), the digest (8 bytes, little
    /// endian), the visible screen, the payload, the secrets, and a CRC-32C over the session's key and all that.
    ///
    /// - Parameter key: The session.
    package func bytes(of key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: payload.count + visible.utf8.count + 40)
        writer.byte(kind.rawValue)
        writer.integer(revision)
        writer.time(time)
        writer.integer(before.screen)
        writer.integer(before.coordinator)
        writer.integer(after.screen - before.screen)
        writer.integer(after.coordinator - before.coordinator)
        writer.littleEndian(digest, count: 8)
        writer.text(visible)
        writer.bytes(payload)
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
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .malformed }
        let revision = try reader.integer()
        let time = try reader.time()
        let before = FreeIdentifiers(screen: try reader.integer(), coordinator: try reader.integer())
        let after = FreeIdentifiers(
            screen: try Self.sum(before.screen, reader.integer()),
            coordinator: try Self.sum(before.coordinator, reader.integer()))
        let digest = try reader.littleEndian(count: 8)
        let visible = try reader.text()
        let payload = try reader.bytes()
        var isErased = false
        var secrets: [Range<Int>] = []
        if !reader.isAtEnd {
            isErased = try reader.byte() == 1
            secrets = try reader.secrets(within: payload.count)
        }
        guard reader.isAtEnd else { throw .malformed }
        self.init(
            kind, revision: revision, time: time, before: before, after: after, digest: digest, visible: visible,
            payload: payload, secrets: secrets, isErased: isErased)
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
