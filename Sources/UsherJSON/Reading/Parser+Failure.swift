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
