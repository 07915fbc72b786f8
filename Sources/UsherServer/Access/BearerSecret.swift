import UsherBytes

/// A secret that lets its bearer in: the operator's token, or a backend's key.
package struct BearerSecret: Sendable {
    /// The text that is sent as a bearer (RFC 6750).
    package let text: String
    private let bytes: [UInt8]

    /// A secret that somebody has chosen.
    ///
    /// - Returns: nil for a short one, and for characters that not every field can carry: only visible ones of ASCII do.
    package init?(_ text: String) {
        guard text.utf8.count >= Self.shortest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.init(known: text)
    }

    private static let shortest = 16

    /// The description of a secret, for an error that says what to give.
    static let demand = "a secret of at least \(shortest) visible ASCII characters, which openssl rand -hex 32 makes"

    /// A secret of 256 random bits.
    package static func random() -> BearerSecret {
        BearerSecret(known: RandomText.make())
    }

    private init(known text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// True of the secret's bytes; takes the same time wherever others differ from it.
    func matches(_ given: some Collection<UInt8>) -> Bool {
        given.isSameSecret(as: bytes)
    }
}

/// Secrets that nobody can guess.
enum RandomText {
    /// 256 bits of the system's random source, in hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(capacity: 16) { $0.append(hexadecimal: generator.next()) } }.joined()
    }
}

extension Collection<UInt8> {
    /// Equality in a time that depends on the length of these bytes alone, and tells nothing of the secret's.
    func isSameSecret(as secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        var difference = count ^ secret.count
        for (index, byte) in enumerated() { difference |= Int(byte ^ secret[index % secret.count]) }
        return difference == 0
    }
}
