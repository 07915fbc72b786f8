extension JSONWriter {
    /// Writes a string, escaping what must be escaped (RFC 8259, section 7) and nothing else.
    public mutating func string(_ text: String) {
        separate()
        let span = text.utf8.span
        guard Self.isPlain(span) else { return append(escaping: text) }
        guard span.count <= Self.shortLength else { return append(plain: text) }
        bytes.append(addingCapacity: span.count + 2) { (characters: inout OutputSpan<UInt8>) in
            characters.append(ASCII.quote)
            for index in span.indices { characters.append(span[index]) }
            characters.append(ASCII.quote)
        }
    }

    /// Up to so many bytes, one by one is faster than all at once.
    private static let shortLength = 48

    private mutating func append(plain text: String) {
        bytes.append(ASCII.quote)
        bytes.append(contentsOf: text.utf8)
        bytes.append(ASCII.quote)
    }

    private mutating func append(escaping text: String) {
        bytes.append(ASCII.quote)
        for byte in text.utf8 { append(escaping: byte) }
        bytes.append(ASCII.quote)
    }

    @inline(__always)
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices where mustBeEscaped(text[index]) { return false }
        return true
    }

    @inline(__always)
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
    }

    private mutating func append(escaping byte: UInt8) {
        guard Self.mustBeEscaped(byte) else { return bytes.append(byte) }
        bytes.append(ASCII.backslash)
        switch byte {
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0..<0x20:
            let digit = byte & 0xF
            bytes.append(contentsOf: [UInt8(ascii: "u"), ASCII.zero, ASCII.zero, ASCII.zero + byte >> 4])
            bytes.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }
}
