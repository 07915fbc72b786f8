/// SHA-256 (FIPS 180-4), to recognize bytes that an attacker may choose, and secrets that must not be stored.
package enum SHA256 {
    private static let start: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]

    /// Returns the digest of bytes as eight words.
    package static func words(of bytes: [UInt8]) -> [UInt32] {
        let padding = (119 - bytes.count % 64) % 64
        var padded: [UInt8] = []
        padded.reserveCapacity(bytes.count + padding + 9)
        padded += bytes
        padded.append(0x80)
        for _ in 0..<padding { padded.append(0) }
        let length = UInt64(bytes.count) << 3
        for index in 0..<8 { padded.append(UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * index))) }
        var state = start
        for block in stride(from: 0, to: padded.count, by: 64) {
            compress(padded.span.extracting(block..<block + 64), into: &state)
        }
        return state
    }

    /// Returns the first eight bytes of the digest, in big endian.
    package static func prefix(of bytes: [UInt8]) -> UInt64 {
        let words = words(of: bytes)
        return UInt64(words[0]) << 32 | UInt64(words[1])
    }

    /// Returns a message's authentication code under a key, as eight words: HMAC (RFC 2104).
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - key: The key.
    package static func code(of message: [UInt8], under key: [UInt8]) -> [UInt32] {
        let short = key.count > 64 ? bytes(of: words(of: key)) : key
        let block = short + Array(repeating: 0, count: 64 - short.count)
        let inner = words(of: block.map { $0 ^ 0x36 } + message)
        return words(of: block.map { $0 ^ 0x5C } + bytes(of: inner))
    }

    private static func bytes(of words: [UInt32]) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    private static func compress(_ block: Span<UInt8>, into state: inout [UInt32]) {
        var schedule = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            for place in 4 * index..<4 * index + 4 { schedule[index] = schedule[index] << 8 | UInt32(block[place]) }
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
            let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
            let first = h &+ mixed &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
            let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
