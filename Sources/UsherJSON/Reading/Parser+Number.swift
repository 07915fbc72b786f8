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
