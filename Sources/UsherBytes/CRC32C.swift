private import CBytes

/// The checksum CRC-32C (Castagnoli), as RFC 3720, appendix B.4, has it: by the processor's instruction where it has one.
package struct CRC32C: Sendable {
    private var sum = ~UInt32(0)

    /// The checksum of nothing.
    package init() {}

    /// The checksum so far.
    package var value: UInt32 { ~sum }

    /// Takes in eight bytes.
    package mutating func add(_ bytes: EightBytes) {
        if Self.hasInstruction { sum = usher_crc32c_word(sum, bytes.word) } else { addByTable(bytes.word) }
    }

    /// Takes in bytes.
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

// MARK: By tables

extension CRC32C {
    /// Takes in bytes as a processor without the instruction does.
    mutating func addByTable(_ bytes: Span<UInt8>) {
        var offset = 0
        while offset <= bytes.count &- 8 {
            addByTable(bytes.eightBytes(at: offset).word)
            offset &+= 8
        }
        let tables = Self.tables.span
        while offset < bytes.count {
            sum = sum >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: sum) ^ bytes[offset])]
            offset &+= 1
        }
    }

    private mutating func addByTable(_ word: UInt64) {
        let tables = Self.tables.span
        let word = word ^ UInt64(sum)
        sum = 0
        for index in 0..<8 { sum ^= tables[(7 - index) << 8 | Int(word >> UInt64(8 * index) & 0xFF)] }
    }

    /// Eight tables one behind the other: the first takes a byte further by a byte, the eighth by eight.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1
            }
        }
        for index in 0..<(7 * 256) {
            let sum = tables[index]
            tables.append(sum >> 8 ^ tables[Int(sum & 0xFF)])
        }
        return tables
    }()
}
