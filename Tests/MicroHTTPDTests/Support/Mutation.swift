/// A small generator of random numbers that gives the same ones for the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The ways in which a message goes wrong.
enum Mutation: CaseIterable {
    case flip, insert, remove, repeatPart, cut, special

    /// A message with one to four mistakes.
    static func applied(to message: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var mutated = message
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let mutation = allCases.randomElement(using: &random) ?? .flip
            mutation.apply(to: &mutated, &random)
        }
        return mutated
    }

    private static let specials: [String] = [
        "\r\n", "\n", "\r", "\0", ":", " ", "\t", "%00", "%", "..", "\\", "0", "-1", "99999999999999999999", "chunked",
        "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "\u{7F}", "ÿ", "HTTP/1.1",
    ]

    private func apply(to message: inout [UInt8], _ random: inout SplitMix) {
        guard !message.isEmpty else { return }
        let place = Int.random(in: 0..<message.count, using: &random)
        let end = min(message.count, place + Int.random(in: 1...20, using: &random))
        switch self {
        case .flip: message[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .insert: message.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case .remove: message.removeSubrange(place..<end)
        case .repeatPart: message.insert(contentsOf: message[place..<end], at: place)
        case .cut: message.removeSubrange(place...)
        case .special: message.insert(contentsOf: (Self.specials.randomElement(using: &random) ?? "").utf8, at: place)
        }
    }
}
