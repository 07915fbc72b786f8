/// Eight bytes in one word, the first in the lowest bits, so that all can be tested at once.
@frozen @usableFromInline
package struct EightBytes: Equatable, Sendable {
    @usableFromInline package let word: UInt64

    @inlinable @inline(__always)
    package init(_ word: UInt64) { self.word = word }

    /// Creates eight copies of a byte.
    @inlinable @inline(__always)
    package init(repeating byte: UInt8) { word = UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns a word with the highest bit set in each byte that is below a value, which must be at most 128.
    ///
    /// Only the lowest set bit of the result is reliable: above it, other bits can be set wrongly.
    @inlinable @inline(__always)
    package func marks(below value: UInt8) -> UInt64 {
        (word &- EightBytes(repeating: value).word) & ~word & EightBytes(repeating: 0x80).word
    }

    /// Returns a word with the highest bit set in each byte that equals a value; only the lowest set bit is reliable.
    @inlinable @inline(__always)
    package func marks(of value: UInt8) -> UInt64 {
        EightBytes(word ^ EightBytes(repeating: value).word).marks(below: 1)
    }

    /// A word with the highest bit set in each byte that is not ASCII.
    @inlinable @inline(__always)
    package var nonASCIIMarks: UInt64 { word & EightBytes(repeating: 0x80).word }

    /// Returns a Boolean value that indicates whether any byte is below a value, which must be at most 128.
    @inlinable @inline(__always)
    package func hasByte(below value: UInt8) -> Bool { marks(below: value) != 0 }

    /// Returns a Boolean value that indicates whether any byte equals a value.
    @inlinable @inline(__always)
    package func hasByte(_ value: UInt8) -> Bool { marks(of: value) != 0 }

    /// Returns the index of the first byte that equals a value, or nil if no byte does.
    @inlinable @inline(__always)
    package func firstIndex(of value: UInt8) -> Int? {
        let found = marks(of: value)
        return found == 0 ? nil : found.trailingZeroBitCount &>> 3
    }

    /// Returns a word with the highest bit set in each byte that equals a character; all bytes must be ASCII.
    @inlinable @inline(__always)
    package func equal(to character: Unicode.Scalar) -> UInt64 {
        let difference = word ^ EightBytes(repeating: UInt8(truncatingIfNeeded: character.value)).word
        return ~(difference &+ EightBytes(repeating: 0x7F).word) & EightBytes(repeating: 0x80).word
    }

    @inlinable @inline(__always)
    package var hasNonASCII: Bool { nonASCIIMarks != 0 }
}

// MARK: Hexadecimal digits

extension EightBytes {
    /// Creates the eight lowercase hexadecimal digits of a number.
    @inlinable @inline(__always)
    package init(hexadecimal number: UInt32) {
        var spread = UInt64(number.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        // Each byte now gets one digit.
        spread = (spread >> 4 | spread << 8) & EightBytes(repeating: 0x0F).word
        let isLetter = (spread &+ EightBytes(repeating: 6).word) >> 4 & EightBytes(repeating: 1).word
        word = spread &+ EightBytes(repeating: UInt8(ascii: "0")).word &+ isLetter &* 39
    }

    /// The number with these lowercase hexadecimal digits, or nil if a byte is not such a digit.
    @inlinable @inline(__always)
    package var hexadecimal: UInt32? {
        guard !hasNonASCII else { return nil }
        let isDigit = from("0") & ~from(":"), isLetter = from("a") & ~from("g") & EightBytes(repeating: 0x80).word
        guard (isDigit | isLetter) & EightBytes(repeating: 0x80).word == EightBytes(repeating: 0x80).word else {
            return nil
        }
        var value = (word & EightBytes(repeating: 0x0F).word) &+ (isLetter >> 7) &* 9
        value = (value << 4 | value >> 8) & 0x00FF_00FF_00FF_00FF
        value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
        value = (value | value >> 16) & 0x0000_0000_FFFF_FFFF
        return UInt32(truncatingIfNeeded: value).byteSwapped
    }

    /// Returns a word in which the highest bit of each byte is set if the byte is not less than a character.
    ///
    /// All bytes must be ASCII, so that no byte carries into the next one.
    @inlinable @inline(__always)
    func from(_ character: Unicode.Scalar) -> UInt64 {
        word &+ EightBytes(repeating: 0x80 &- UInt8(truncatingIfNeeded: character.value)).word
    }
}
