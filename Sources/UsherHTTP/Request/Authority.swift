/// The grammar of `host[:port]` (RFC 3986 §3.2.2, §3.2.3), as in a `Host` field; user information is refused.
enum Authority {
    static func isValid(_ bytes: some BidirectionalCollection<UInt8>, portNeeded: Bool = false) -> Bool {
        guard bytes.first == UInt8(ascii: "[") else { return isNamed(bytes, portNeeded) }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let literal = bytes[bytes.index(after: bytes.startIndex)..<end]
        return !literal.isEmpty && literal.allSatisfy(isAddressCharacter)
            && isPort(bytes[bytes.index(after: end)...], needed: portNeeded)
    }

    private static func isNamed(_ bytes: some BidirectionalCollection<UInt8>, _ portNeeded: Bool) -> Bool {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        return bytes[..<colon].allSatisfy(isNameCharacter) && isPort(bytes[colon...], needed: portNeeded)
    }

    private static func isPort(_ bytes: some Collection<UInt8>, needed: Bool) -> Bool {
        guard let colon = bytes.first else { return !needed }
        let digits = bytes.dropFirst()
        return colon == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy(isDigit)
            && !(needed && digits.isEmpty)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
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
