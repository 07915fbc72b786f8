import UsherBytes

/// The character classes of a token (RFC 9110 §5.6.2) and of a field value (§5.5).
enum FieldGrammar {
    static func isToken(_ bytes: Span<UInt8>) -> Bool {
        isToken(bytes.indices, of: bytes)
    }

    /// The same of a part of a buffer; eight bytes at once, where they are what names have most often.
    static func isToken(_ range: Range<Int>, of buffer: Span<UInt8>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, let bytes = eightBytes(of: range, at: index, in: buffer), isWord(bytes) {
            index &+= 8
        }
        while index < range.upperBound {
            guard isTokenCharacter(buffer[index]) else { return false }
            index &+= 1
        }
        return !range.isEmpty
    }

    /// The bytes of a range from an index on, with hyphens behind its end, which names and values may hold; nil where the
    /// buffer has fewer than eight.
    @inline(__always)
    private static func eightBytes(of range: Range<Int>, at index: Int, in buffer: Span<UInt8>) -> EightBytes? {
        guard index <= buffer.count &- 8 else { return nil }
        let (bytes, rest) = (buffer.eightBytes(at: index), range.upperBound &- index)
        return rest < 8 ? bytes.first(rest, then: UInt8(ascii: "-")) : bytes
    }

    /// Letters and hyphens alone.
    @inline(__always)
    private static func isWord(_ bytes: EightBytes) -> Bool {
        guard !bytes.hasNonASCII else { return false }
        // The bit in which the two cases of a letter differ.
        let lowercase = EightBytes(bytes.word | EightBytes(repeating: 0x20).word)
        let isLetter = lowercase.from("a") & ~lowercase.from("{")
        let all = EightBytes(repeating: 0x80).word
        return (isLetter | bytes.equal(to: "-")) & all == all
    }

    /// Letters, digits and `!#$%&'*+-.^_`|~`: a bit for each ASCII character.
    @inline(__always)
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 0x40 ? 0x03FF_6CFA_0000_0000 : byte < 0x80 ? 0x57FF_FFFF_C7FF_FFFE : 0
        return set &>> UInt64(byte & 0x3F) & 1 != 0
    }

    /// Visible characters, obs-text, space and tab; no other control, so no value can begin a new line.
    static func isValue(_ bytes: Span<UInt8>) -> Bool {
        isValue(bytes.indices, of: bytes)
    }

    /// The same of a part of a buffer.
    static func isValue(_ range: Range<Int>, of buffer: Span<UInt8>) -> Bool {
        guard !range.isEmpty else { return true }
        if isBlank(buffer[range.lowerBound]) || isBlank(buffer[range.upperBound &- 1]) { return false }
        var index = range.lowerBound
        while index < range.upperBound, let bytes = eightBytes(of: range, at: index, in: buffer), isVisible(bytes) {
            index &+= 8
        }
        while index < range.upperBound {
            guard isValueCharacter(buffer[index]) else { return false }
            index &+= 1
        }
        return true
    }

    /// No control character, not even a tab.
    @inline(__always)
    private static func isVisible(_ bytes: EightBytes) -> Bool {
        !bytes.hasByte(below: 0x20) && !bytes.hasByte(0x7F)
    }

    private static func isValueCharacter(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The number that a hexadecimal digit stands for.
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
    /// Equality without regard to ASCII case.
    func matches(_ others: Span<UInt8>) -> Bool {
        // Most names come as they are written here.
        guard count == others.count, !isSame(as: others) else { return count == others.count }
        for index in indices {
            let (mine, other) = (self[index], others[index])
            guard mine == other || FieldGrammar.lowercased(mine) == FieldGrammar.lowercased(other) else { return false }
        }
        return true
    }

    /// True if the bytes begin with a lowercase ASCII text, without regard to their case.
    func hasPrefix(_ prefix: StaticString) -> Bool {
        let wanted = prefix.description.utf8
        guard count >= wanted.count else { return false }
        return zip(indices, wanted).allSatisfy { FieldGrammar.lowercased(self[$0]) == $1 }
    }

    /// The part of a range that is left without the spaces and tabs at both its ends.
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
