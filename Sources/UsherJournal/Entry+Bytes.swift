extension Entry {
    /// The format that this build writes; it reads none that is newer.
    static let version: UInt8 = 1

    /// The entry as bytes: version, kind, five numbers (LEB128), the digest (8 bytes, little endian), the payload, and
    /// a CRC-32C of all that (4 bytes, little endian).
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 40)
        bytes.append(Self.version)
        bytes.append(kind.rawValue)
        for number in [UInt64(revision), UInt64(bitPattern: time), UInt64(screen), UInt64(coordinator)] {
            bytes.append(variableLength: number)
        }
        bytes.append(littleEndian: digest, count: 8)
        bytes.append(variableLength: UInt64(payload.count))
        bytes += payload
        bytes.append(littleEndian: UInt64(Checksum.of(bytes[...])), count: 4)
        return bytes
    }

    /// Reads an entry.
    ///
    /// - Parameter bytes: What `bytes` once was.
    /// - Throws: `EntryError`: a changed byte is noticed by the checksum.
    public init(_ bytes: [UInt8]) throws(EntryError) {
        guard bytes.count > 6 else { throw .truncated }
        guard bytes[0] <= Self.version else { throw .version(bytes[0]) }
        var sum = ByteReader(bytes[(bytes.count - 4)...])
        guard try sum.littleEndian(count: 4) == UInt64(Checksum.of(bytes[..<(bytes.count - 4)])) else {
            throw .checksum
        }

        var reader = ByteReader(bytes[2..<(bytes.count - 4)])
        let revision = try reader.integer()
        let time = Int64(bitPattern: try reader.variableLength())
        let screen = try reader.integer()
        let coordinator = try reader.integer()
        let digest = try reader.littleEndian(count: 8)
        let payload = try reader.take(reader.integer())
        guard let kind = Kind(rawValue: bytes[1]), reader.isAtEnd else { throw .malformed }
        self.init(
            kind, revision: revision, time: time, screen: screen, coordinator: coordinator, digest: digest,
            payload: Array(payload))
    }
}

extension [UInt8] {
    fileprivate mutating func append(variableLength number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    fileprivate mutating func append(littleEndian number: UInt64, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }
}
