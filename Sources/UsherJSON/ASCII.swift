import UsherBytes

/// The characters of JSON's grammar (RFC 8259, section 2).
enum ASCII {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let zero = UInt8(ascii: "0")
    static let nine = UInt8(ascii: "9")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let point = UInt8(ascii: ".")
    static let space = UInt8(ascii: " ")

    /// Returns `true` for white space (RFC 8259, section 2).
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }

    /// Returns `true` for an ASCII character that needs no escape in a string (RFC 8259, section 7).
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != quote && byte != backslash
    }

    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension EightBytes {
    /// Whether no byte needs an escape in a string (RFC 8259, section 7); the bytes need not be ASCII.
    @inline(__always)
    var isPlain: Bool { specialMarks == 0 }

    /// The number of bytes before the first byte that needs an escape or is not ASCII.
    @inline(__always)
    var plainASCIICount: Int { (specialMarks | nonASCIIMarks).trailingZeroBitCount >> 3 }

    @inline(__always)
    private var specialMarks: UInt64 { marks(below: 0x20) | marks(of: ASCII.quote) | marks(of: ASCII.backslash) }
}
