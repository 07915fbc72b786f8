import UsherBytes

/// The character classes of a token (RFC 9110 §5.6.2) and of a field value (§5.5).
enum FieldGrammar {
    static func isToken(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !isTokenCharacter(bytes[index]) { return false }
        return !bytes.isEmpty
    }

    /// Returns `true` for letters, digits and `!#$%&'*+-.^_`|~`; `set` has one bit per ASCII character.
    @inline(__always)
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 0x40 ? 0x03FF_6CFA_0000_0000 : byte < 0x80 ? 0x57FF_FFFF_C7FF_FFFE : 0
        return set &>> UInt64(byte & 0x3F) & 1 != 0
    }

    /// Returns `true` for visible characters, obs-text, spaces and tabs, none of which can start a new line.
    static func isValue(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        if isBlank(bytes[0]) || isBlank(bytes[bytes.count - 1]) { return false }
        var index = 0
        while index <= bytes.count &- 8, isVisible(bytes.eightBytes(at: index)) { index &+= 8 }
        while index < bytes.count {
            guard isValueCharacter(bytes[index]) else { return false }
            index &+= 1
        }
        return true
    }

    /// Returns `true` if no byte is a control character or a tab.
    private static func isVisible(_ bytes: EightBytes) -> Bool {
        !bytes.hasByte(below: 0x20) && !bytes.hasByte(0x7F)
    }

    private static func isValueCharacter(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }
}

extension Span<UInt8> {
    /// Compares bytes, ignoring ASCII case.
    func matches(_ others: Span<UInt8>) -> Bool {
        // Compares the bytes directly first, because most names arrive in the spelling that the code uses.
        guard count == others.count, !isSame(as: others) else { return count == others.count }
        for index in indices {
            let (mine, other) = (self[index], others[index])
            guard mine == other || FieldGrammar.lowercased(mine) == FieldGrammar.lowercased(other) else { return false }
        }
        return true
    }

    /// Returns `true` if the bytes start with a prefix, ignoring case; the prefix must be lowercase ASCII.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        let wanted = prefix.description.utf8
        guard count >= wanted.count else { return false }
        return zip(indices, wanted).allSatisfy { FieldGrammar.lowercased(self[$0]) == $1 }
    }

    func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, FieldGrammar.isBlank(self[start]) { start += 1 }
        while end > start, FieldGrammar.isBlank(self[end - 1]) { end -= 1 }
        return start..<end
    }

    func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
