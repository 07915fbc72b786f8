/// Reads a JSON text into a tape, in one pass (RFC 8259, with unique member names as in RFC 7493).
struct Parser {
    let bytes: [UInt8]
    var position = 0
    var tape: Tape

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tape = Tape(bytes: bytes)
        // About as many as a text with short values has; a short text's stand in place.
        if bytes.count > 256 { tape.tokens.reserveCapacity(min(bytes.count / 5 + 4, 4096)) }
    }

    /// Reads the whole text: one value, and nothing after it.
    mutating func parse() throws(JSONError) -> Tape {
        guard bytes.count < Int(UInt32.max) else { throw failure("a text longer than 4 GiB") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw failure("a byte order mark is not allowed") }
        skipSpace()
        try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw failure("expected the end of the text, found \(found)") }
        return tape
    }

    mutating func value(depth: Int) throws(JSONError) {
        switch peek {
        case ASCII.quote: try string()
        case ASCII.openBrace: try object(depth: depth + 1)
        case ASCII.openBracket: try array(depth: depth + 1)
        case ASCII.minus, ASCII.zero...ASCII.nine: try number()
        case UInt8(ascii: "t"): try literal("true", .yes)
        case UInt8(ascii: "f"): try literal("false", .no)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: throw failure("expected a value, found \(found)")
        }
    }

    private mutating func literal(_ word: String, _ kind: Token.Kind) throws(JSONError) {
        let start = position
        for byte in word.utf8 {
            guard peek == byte else { throw failure("expected \(word), found \(found)") }
            position += 1
        }
        append(kind, from: start)
    }

    // MARK: The text

    /// The byte at hand, or 0 at the end: 0 begins nothing in JSON.
    @inline(__always)
    var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == ASCII.space || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    @inline(__always)
    mutating func append(_ kind: Token.Kind, from start: Int, escaped: Bool = false) {
        tape.tokens.append(
            Token(
                kind: kind, escaped: escaped, start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: position), next: UInt32(truncatingIfNeeded: tape.tokens.count + 1)))
    }
}
