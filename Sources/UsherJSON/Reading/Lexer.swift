extension Parser {
    /// Reads a string (RFC 8259, section 7), checking its escapes and its UTF-8.
    mutating func string() throws(JSONError) {
        let start = position
        var escaped = false
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == ASCII.quote {
                position += 1
                append(.string, from: start, escaped: escaped)
                return
            }
            if byte == ASCII.backslash {
                escaped = true
                try escape()
            } else if byte >= 0x80 {
                try scalar()
            } else if byte < 0x20 {
                throw failure("a control character in a string must be escaped, found \(found)")
            } else {
                position += 1
            }
        }
        throw failure("expected the string's closing quotation mark, found \(found)")
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
        position = start
        throw failure("a surrogate escape must be one of a pair")
    }

    /// Reads the four digits after `\u`, the `u` being at hand.
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

    /// Passes one scalar of two to four bytes (Unicode, table 3-7: well-formed UTF-8).
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

extension Parser {
    /// Reads a number (RFC 8259, section 6).
    mutating func number() throws(JSONError) {
        let start = position
        if peek == ASCII.minus { position += 1 }
        if peek == ASCII.zero {
            position += 1
            if isDigit(peek) { throw failure("a leading zero is not allowed") }
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
        append(kind, from: start)
    }

    private mutating func digits() throws(JSONError) {
        guard isDigit(peek) else { throw failure("expected a digit, found \(found)") }
        repeat { position += 1 } while isDigit(peek)
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- ASCII.zero < 10 }
}

extension Parser {
    /// A syntax error at the byte at hand.
    func failure(_ reason: String) -> JSONError {
        JSONError(.syntax, reason, at: "line \(line), column \(column)")
    }

    /// The byte at hand, in words.
    var found: String {
        guard position < bytes.count else { return "the end of the text" }
        return name(of: bytes[position])
    }

    func name(of byte: UInt8) -> String {
        switch byte {
        case ASCII.quote: "a quotation mark"
        case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
        default: "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    private var line: Int { 1 + bytes[..<position].count { $0 == 0x0A } }

    /// The column counts characters (scalars), the first being 1.
    private var column: Int {
        let start = bytes[..<position].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return 1 + bytes[start..<position].count { $0 & 0xC0 != 0x80 }
    }
}
