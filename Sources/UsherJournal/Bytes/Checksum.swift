/// CRC-32C (Castagnoli), as RFC 3720, appendix B.4, has it.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in
            sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1
        }
    }

    /// The checksum of a session's key, followed by bytes.
    static func of(_ bytes: Span<UInt8>, _ key: JournalKey) -> UInt32 {
        let table = table
        var sum = ~UInt32(0)
        for word in [key.high, key.low] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                sum = step(sum, UInt8(truncatingIfNeeded: word >> shift), table)
            }
        }
        for index in bytes.indices { sum = step(sum, bytes[index], table) }
        return ~sum
    }

    private static func step(_ sum: UInt32, _ byte: UInt8, _ table: [UInt32]) -> UInt32 {
        sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
    }
}
