/// The character classes of RFC 9110 §5.6.2 (token) and §5.5 (field value).
enum FieldGrammar {
    static func isToken(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !isTokenCharacter(bytes[index]) { return false }
        return !bytes.isEmpty
    }

    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        // Most are letters.
        if isLetter(byte) { return true }
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Visible characters, obs-text, space and tab; no other control, so no value can begin a new line.
    static func isValue(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        if isBlank(bytes[0]) || isBlank(bytes[bytes.count - 1]) { return false }
        return hasValueCharacters(bytes, 0..<bytes.count)
    }

    static func hasValueCharacters(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where !isValueCharacter(bytes[index]) { return false }
        return true
    }

    static func isValueCharacter(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
