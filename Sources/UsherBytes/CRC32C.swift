private import CBytes

/// The checksum CRC-32C (RFC 3720, appendix B.4), computed by a processor instruction if there is one.
package struct CRC32C: Sendable {
    private var sum = ~UInt32(0)

    package init() {}

    /// The checksum of the bytes so far.
    package var value: UInt32 { ~sum }

    package mutating func add(_ bytes: EightBytes) {
        if Self.hasInstruction {
            sum = usher_crc32c_word(sum, bytes.word)
        } else {
            for index in 0..<8 { addByTable(UInt8(truncatingIfNeeded: bytes.word >> UInt64(8 * index))) }
        }
    }

    package mutating func add(_ bytes: Span<UInt8>) {
        var offset = 0
        if Self.hasInstruction {
            while offset <= bytes.count &- 8 {
                sum = usher_crc32c_word(sum, bytes.eightBytes(at: offset).word)
                offset &+= 8
            }
            while offset < bytes.count {
                sum = usher_crc32c_byte(sum, bytes[offset])
                offset &+= 1
            }
        } else {
            addByTable(bytes)
        }
    }

    private static let hasInstruction = usher_has_crc32c()
}

// MARK: Computation with a table

extension CRC32C {
    /// Adds bytes with a table, for a processor without the instruction.
    mutating func addByTable(_ bytes: Span<UInt8>) {
        for index in bytes.indices { addByTable(bytes[index]) }
    }

    private mutating func addByTable(_ byte: UInt8) {
        sum = sum >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in
            sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1
        }
    }
}
