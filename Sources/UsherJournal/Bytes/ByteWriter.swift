/// Puts together the bytes of one row: a version, the content, and a checksum over both and the session's key.
///
/// The key is in the checksum, so that a row which ends up with another session is noticed too.
struct ByteWriter {
    /// The format that this build writes; it reads none that is newer.
    static let version: UInt8 = 1
    static let checksumSize = 4

    private var bytes: [UInt8] = []

    init(reservingCapacity capacity: Int) {
        bytes.reserveCapacity(capacity + 1 + Self.checksumSize)
        bytes.append(Self.version)
    }

    /// Begins bytes that will have no checksum.
    init(marking mark: UInt8, reservingCapacity capacity: Int) {
        bytes.reserveCapacity(capacity + 1)
        bytes.append(mark)
    }

    mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// LEB128: small numbers take a byte.
    mutating func variableLength(_ number: UInt64) {
        if number < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: number)) }
        bytes.append(addingCapacity: 10) { (digits: inout OutputSpan<UInt8>) in
            var rest = number
            while rest >= 0x80 {
                digits.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            digits.append(UInt8(truncatingIfNeeded: rest))
        }
    }

    mutating func integer(_ number: Int) {
        variableLength(UInt64(max(0, number)))
    }

    mutating func time(_ milliseconds: Int64) {
        variableLength(UInt64(bitPattern: milliseconds))
    }

    mutating func littleEndian(_ number: UInt64, count: Int) {
        bytes.append(addingCapacity: count) { (digits: inout OutputSpan<UInt8>) in
            for index in 0..<count { digits.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
        }
    }

    mutating func bytes(_ content: [UInt8]) {
        integer(content.count)
        bytes += content
    }

    mutating func text(_ text: String) {
        integer(text.utf8.count)
        bytes += text.utf8
    }

    /// All of it, without a checksum.
    var unsealed: [UInt8] { bytes }

    /// All of it, with the checksum (CRC-32C, little endian) behind; nothing is left here, so that nothing is copied.
    mutating func sealed(for key: JournalKey) -> [UInt8] {
        let checksum = Checksum.of(bytes.span, key)
        littleEndian(UInt64(checksum), count: Self.checksumSize)
        var sealed: [UInt8] = []
        swap(&sealed, &bytes)
        return sealed
    }
}
