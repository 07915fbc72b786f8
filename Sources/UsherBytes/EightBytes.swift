/// Eight bytes in one word, the first in its lowest byte: what holds of one is asked of all at once.
@frozen @usableFromInline
package struct EightBytes: Equatable, Sendable {
    /// The word.
    @usableFromInline package let word: UInt64

    /// Makes the bytes of a word.
    @inlinable @inline(__always)
    package init(_ word: UInt64) { self.word = word }

    /// The same byte eight times.
    @inlinable @inline(__always)
    package init(repeating byte: UInt8) { word = UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The highest bit of each byte that is below a value of at most 128; right up to the first of them, for behind it a
    /// byte may be taken for another.
    @inlinable @inline(__always)
    package func marks(below value: UInt8) -> UInt64 {
        (word &- EightBytes(repeating: value).word) & ~word & EightBytes(repeating: 0x80).word
    }

    /// The highest bit of each byte that is this one; right up to the first of them.
    @inlinable @inline(__always)
    package func marks(of value: UInt8) -> UInt64 {
        EightBytes(word ^ EightBytes(repeating: value).word).marks(below: 1)
    }

    /// The highest bit of each byte that is not ASCII.
    @inlinable @inline(__always)
    package var nonASCIIMarks: UInt64 { word & EightBytes(repeating: 0x80).word }

    /// True where a byte is below a value of at most 128.
    @inlinable @inline(__always)
    package func hasByte(below value: UInt8) -> Bool { marks(below: value) != 0 }

    /// True where a byte is this one.
    @inlinable @inline(__always)
    package func hasByte(_ value: UInt8) -> Bool { marks(of: value) != 0 }

    /// The index of the first byte that is this one; nil where none is.
    @inlinable @inline(__always)
    package func firstIndex(of value: UInt8) -> Int? {
        let found = marks(of: value)
        return found == 0 ? nil : found.trailingZeroBitCount &>> 3
    }

    /// In the highest bit of each byte, whether it is this one; all must be ASCII.
    @inlinable @inline(__always)
    package func equal(to character: Unicode.Scalar) -> UInt64 {
        let difference = word ^ EightBytes(repeating: UInt8(truncatingIfNeeded: character.value)).word
        return ~(difference &+ EightBytes(repeating: 0x7F).word) & EightBytes(repeating: 0x80).word
    }

    /// True where a byte is not ASCII.
    @inlinable @inline(__always)
    package var hasNonASCII: Bool { nonASCIIMarks != 0 }
}

// MARK: Hexadecimal digits

extension EightBytes {
    /// The eight digits of a number, in lower case.
    @inlinable @inline(__always)
    package init(hexadecimal number: UInt32) {
        var spread = UInt64(number.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        // Now a digit in each byte.
        spread = (spread >> 4 | spread << 8) & EightBytes(repeating: 0x0F).word
        let isLetter = (spread &+ EightBytes(repeating: 6).word) >> 4 & EightBytes(repeating: 1).word
        word = spread &+ EightBytes(repeating: UInt8(ascii: "0")).word &+ isLetter &* 39
    }

    /// The number whose digits they are, in lower case; nil where one byte is no digit.
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

    /// In the highest bit of each byte, whether it is a character or one behind it; of ASCII no byte carries into the next.
    @inlinable @inline(__always)
    func from(_ character: Unicode.Scalar) -> UInt64 {
        word &+ EightBytes(repeating: 0x80 &- UInt8(truncatingIfNeeded: character.value)).word
    }
}
