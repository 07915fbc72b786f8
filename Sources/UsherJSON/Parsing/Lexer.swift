import UsherBytes

/// A lexer: a position in a JSON text, and the rules for strings, numbers and literals (RFC 8259).
struct Lexer {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The byte at the position, or 0 at the end, which is not valid anywhere in JSON.
    @inline(__always)
    var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

    var isAtEnd: Bool { position == bytes.count }

    @inline(__always)
    mutating func advance() { position += 1 }

    /// Skips white space (RFC 8259, section 2).
    @inline(__always)
    mutating func skipSpace() {
        position = Self.end(ofSpace: bytes.span, from: position)
    }

    @inline(__always)
    private static func end(ofSpace bytes: Span<UInt8>, from start: Int) -> Int {
        var next = start
        // Indented texts have long runs of spaces.
        while next <= bytes.count &- 8, bytes.eightBytes(at: next) == EightBytes(repeating: ASCII.space) { next &+= 8 }
        while next < bytes.count, ASCII.isSpace(bytes[next]) { next &+= 1 }
        return next
    }

    mutating func literal(_ word: String) throws(JSONError) {
        for byte in word.utf8 {
            guard peek == byte else { throw failure("expected \(word), found \(found)") }
            position += 1
        }
    }
}

// MARK: Errors

extension Lexer {
    /// Creates a syntax error at the position.
    func failure(_ reason: String) -> JSONError { failure(reason, at: position) }

    func failure(_ reason: String, at position: Int) -> JSONError {
        // The column counts scalars and starts at 1.
        let line = bytes[..<position].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = 1 + bytes[line..<position].count { $0 & 0xC0 != 0x80 }
        return JSONError(reason, at: "line \(1 + bytes[..<position].count { $0 == 0x0A }), column \(column)")
    }

    /// The byte at the position, for messages.
    var found: String {
        guard position < bytes.count else { return "the end of the text" }
        return Self.name(of: bytes[position])
    }

    static func name(of byte: UInt8) -> String {
        switch byte {
        case ASCII.quote: "a quotation mark"
        case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
        default: "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}

// MARK: Numbers (RFC 8259, section 6)

extension Lexer {
    /// Reads a number; returns `integer` if the number has no fraction and no exponent.
    mutating func number() throws(JSONError) -> Token.Kind {
        if peek == ASCII.minus { position += 1 }
        if peek == ASCII.zero {
            position += 1
            if ASCII.isDigit(peek) { throw failure("a leading zero is not allowed") }
        } else {
            try digits()
        }
        var kind = Token.Kind.integer
        if peek == ASCII.point {
            kind = .number
            position += 1
            try digits()
        }
        if peek | 0x20 == UInt8(ascii: "e") {
            kind = .number
            position += 1
            if peek == ASCII.plus || peek == ASCII.minus { position += 1 }
            try digits()
        }
        return kind
    }

    private mutating func digits() throws(JSONError) {
        guard ASCII.isDigit(peek) else { throw failure("expected a digit, found \(found)") }
        repeat { position += 1 } while ASCII.isDigit(peek)
    }
}

// MARK: Strings (RFC 8259, section 7)

extension Lexer {
    /// Reads a string and checks its escapes and its UTF-8; returns `true` if the string has an escape.
    mutating func string() throws(JSONError) -> Bool {
        var escaped = false
        position += 1
        while true {
            skipPlain()
            guard position < bytes.count else { break }
            let byte = bytes[position]
            if byte == ASCII.quote {
                position += 1
                return escaped
            }
            if byte == ASCII.backslash {
                escaped = true
                try escape()
            } else if byte >= 0x80 {
                try scalar()
            } else {
                throw failure("a control character in a string must be escaped, found \(found)")
            }
        }
        throw failure("expected the string's closing quotation mark, found \(found)")
    }

    @inline(__always)
    private mutating func skipPlain() {
        position = Self.end(ofPlain: bytes.span, from: position)
    }

    @inline(__always)
    private static func end(ofPlain bytes: Span<UInt8>, from start: Int) -> Int {
        var next = start
        while next <= bytes.count &- 8 {
            let count = bytes.eightBytes(at: next).plainASCIICount
            next &+= count
            if count < 8 { return next }
        }
        while next < bytes.count, ASCII.isPlain(bytes[next]) { next &+= 1 }
        return next
    }

    private mutating func escape() throws(JSONError) {
        position += 1
        switch peek {
        case ASCII.quote, ASCII.backslash, ASCII.slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            try unicodeEscape()
        default:
            throw failure("expected an escape such as \\n after the backslash, found \(found)")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) {
        let start = position - 1
        let first = try codeUnit()
        guard first & 0xF800 == 0xD800 else { return }
        if first < 0xDC00, peek == ASCII.backslash {
            position += 1
            if peek == UInt8(ascii: "u"), try codeUnit() & 0xFC00 == 0xDC00 { return }
        }
        throw failure("a surrogate escape must be one of a pair", at: start)
    }

    /// Reads the four digits of a UTF-16 code unit, starting at the `u` of its escape.
    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            position += 1
            guard let digit = ASCII.hexadecimal(peek) else {
                throw failure("expected a hexadecimal digit, found \(found)")
            }
            code = code << 4 | digit
        }
        position += 1
        return code
    }

    /// Skips a scalar of two to four bytes (Unicode, table 3-7: well-formed UTF-8).
    private mutating func scalar() throws(JSONError) {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[position] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw failure("invalid UTF-8, found \(found)")
        }
        guard bytes.count - position >= length, second.contains(bytes[position + 1]),
            length < 3 || bytes[position + 2] & 0xC0 == 0x80, length < 4 || bytes[position + 3] & 0xC0 == 0x80
        else { throw failure("invalid UTF-8, found \(found)") }
        position += length
    }
}
