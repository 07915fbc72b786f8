/// A number as decimal digits and a power of ten, so that 1.0, 1 and 10e-1 are equal.
struct DecimalNumber: Equatable {
    private let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    private let digits: [UInt8]
    private let exponent: Int

    /// Parses a valid literal (RFC 8259, section 6).
    init(_ literal: ArraySlice<UInt8>) {
        let mantissa = literal.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let point = mantissa.firstIndex(of: ASCII.point) ?? mantissa.endIndex
        let written = mantissa.filter { ASCII.isDigit($0) }
        let significant = written.drop { $0 == ASCII.zero }
        let trailing = significant.reversed().prefix { $0 == ASCII.zero }.count
        digits = Array(significant.dropLast(trailing))
        isNegative = literal.first == ASCII.minus && !digits.isEmpty
        let shift = trailing - max(0, mantissa.endIndex - point - 1)
        exponent = digits.isEmpty ? 0 : Self.exponent(literal[mantissa.endIndex...].dropFirst()) + shift
    }

    /// The literal of the number as an integer; nil if the number is not whole, or too long for any integer type.
    var integer: [UInt8]? {
        guard (0...Self.longest).contains(exponent) else { return nil }
        guard !digits.isEmpty else { return [ASCII.zero] }
        return (isNegative ? [ASCII.minus] : []) + digits + Array(repeating: ASCII.zero, count: exponent)
    }

    /// A text that is the same for all spellings of the number.
    var bytes: [UInt8] {
        (isNegative ? [ASCII.minus] : []) + digits + [UInt8(ascii: "e")] + Array(String(exponent).utf8)
    }

    private static let longest = 40
    /// The largest exponent; a text of 64 KiB can express no such number without an exponent.
    private static let largestExponent = 1_000_000_000

    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        let magnitude = text.reduce(0) { number, byte in
            ASCII.isDigit(byte) ? min(largestExponent, number * 10 + Int(byte - ASCII.zero)) : number
        }
        return text.first == ASCII.minus ? -magnitude : magnitude
    }
}
