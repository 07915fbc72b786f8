/// A number as its decimal digits and the power of ten by which they are multiplied: 1.0, 1 and 10e-1 are the same.
struct DecimalNumber: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; none for zero.
    private let digits: [UInt8]
    private let exponent: Int

    /// Reads a literal of the grammar (RFC 8259, section 6).
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

    /// The literal of the integer that it is; nil where it is none, or too long for any type.
    var integer: [UInt8]? {
        guard (0...Self.longest).contains(exponent) else { return nil }
        guard !digits.isEmpty else { return [ASCII.zero] }
        return (isNegative ? [ASCII.minus] : []) + digits + Array(repeating: ASCII.zero, count: exponent)
    }

    /// Its text, the same for all ways to write it.
    var bytes: [UInt8] {
        (isNegative ? [ASCII.minus] : []) + digits + [UInt8(ascii: "e")] + Array(String(exponent).utf8)
    }

    private static let longest = 40
    /// More than any number has that a text of 64 KiB can mean to write out.
    private static let largestExponent = 1_000_000_000

    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        let magnitude = text.reduce(0) { number, byte in
            ASCII.isDigit(byte) ? min(largestExponent, number * 10 + Int(byte - ASCII.zero)) : number
        }
        return text.first == ASCII.minus ? -magnitude : magnitude
    }
}
