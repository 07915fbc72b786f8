import UsherBytes

/// A bearer token: the operator's token or the backend's key.
package struct BearerSecret: Sendable {
    /// The text in the `Authorization` field (RFC 6750).
    package let text: String
    private let bytes: [UInt8]

    /// Creates a secret from a text; nil if the text is too short, or if it has characters that are not visible ASCII,
    /// because a header field may be unable to carry them.
    package init?(_ text: String) {
        guard text.utf8.count >= Self.shortest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.init(known: text)
    }

    private static let shortest = 16

    /// The requirements for a secret, for error messages.
    static let demand =
        "a secret of at least \(shortest) visible ASCII characters, such as the output of \"openssl rand -hex 32\""

    /// Creates a secret of 256 random bits.
    package static func random() -> BearerSecret {
        BearerSecret(known: RandomText.make())
    }

    private init(known text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Returns `true` if the bytes are the secret, in a time that does not reveal where the first difference is.
    func matches(_ given: some Collection<UInt8>) -> Bool {
        given.isSameSecret(as: bytes)
    }
}

enum RandomText {
    /// Returns 256 bits of the system's random source as hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(capacity: 16) { $0.append(hexadecimal: generator.next()) } }.joined()
    }
}

extension Collection<UInt8> {
    /// Returns `true` if the bytes are the secret, in a time that depends only on the number of given bytes.
    func isSameSecret(as secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        var difference = count ^ secret.count
        for (index, byte) in enumerated() { difference |= Int(byte ^ secret[index % secret.count]) }
        return difference == 0
    }
}
