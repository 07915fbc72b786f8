import SeededRandom

/// A mutation of bytes, as fuzzers make them.
enum Mutation {
    /// Returns bytes that are changed in one to four places.
    static func of(_ bytes: [UInt8], among others: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, others, &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ others: [[UInt8]], _ random: inout SplitMix64) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: end)
        default:
            let other = others.randomElement(using: &random) ?? []
            bytes.replaceSubrange(place..., with: other.dropFirst(place))
        }
    }
}
