/// The checksum of a row: CRC-32C (Castagnoli), as RFC 3720, appendix B.4, has it.
enum Checksum {
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

    /// The checksum of a session's key, followed by bytes.
    static func of(_ bytes: Span<UInt8>, _ key: JournalKey) -> UInt32 {
        let tables = tables.span
        var sum = step(step(~UInt32(0), key.high, tables), key.low, tables)
        var position = 0
        while position + 8 <= bytes.count {
            var word: UInt64 = 0
            for index in 0..<8 { word |= UInt64(bytes[position + index]) << UInt64(8 * index) }
            sum = step(sum, word, tables)
            position += 8
        }
        while position < bytes.count {
            sum = sum >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: sum) ^ bytes[position])]
            position += 1
        }
        return ~sum
    }

    /// Takes in eight bytes at once, the first of them in the lowest bits.
    private static func step(_ sum: UInt32, _ word: UInt64, _ tables: Span<UInt32>) -> UInt32 {
        let word = word ^ UInt64(sum)
        var result: UInt32 = 0
        for index in 0..<8 {
            let byte = Int(word >> UInt64(8 * index) & 0xFF)
            result ^= tables[(7 - index) << 8 | byte]
        }
        return result
    }
}
