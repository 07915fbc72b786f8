/// The grammar of `host[:port]` (RFC 3986 §3.2.2, §3.2.3), as in a `Host` field; user information is refused.
enum Authority {
    static func isValid(_ bytes: Span<UInt8>, portNeeded: Bool = false) -> Bool {
        var end = 0
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") {
            end = 1
            while end < bytes.count, isAddressCharacter(bytes[end]) { end += 1 }
            guard end > 1, end < bytes.count, bytes[end] == UInt8(ascii: "]") else { return false }
            end += 1
        } else {
            while end < bytes.count, isNameCharacter(bytes[end]) { end += 1 }
        }
        return isPort(bytes.extracting(end..<bytes.count), needed: portNeeded)
    }

    private static func isPort(_ bytes: Span<UInt8>, needed: Bool) -> Bool {
        guard !bytes.isEmpty else { return !needed }
        guard bytes[0] == UInt8(ascii: ":"), bytes.count <= 6, !(needed && bytes.count == 1) else { return false }
        for index in 1..<bytes.count where !isDigit(bytes[index]) { return false }
        return true
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        // Digits and dots make an address; they are most of what comes.
        if isDigit(byte) || byte == UInt8(ascii: ".") { return true }
        return switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"): false
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="): true
        default: FieldGrammar.isTokenCharacter(byte)
        }
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
