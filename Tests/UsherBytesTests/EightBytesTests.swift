import Testing
import UsherBytes

@Suite("Eight bytes in one word")
struct EightBytesTests {
    private static let others: [UInt8] = [0x00, 0x1F, 0x20, 0x22, 0x5C, 0x61, 0x7F, 0x80, 0xFF]

    /// Returns texts of eight bytes with every byte at a place, and one other byte elsewhere.
    private static func texts(with place: Int) -> [[UInt8]] {
        others.flatMap { other in
            (UInt8.min...UInt8.max).map { byte in
                var bytes = Array(repeating: other, count: 8)
                bytes[place] = byte
                return bytes
            }
        }
    }

    @Test(arguments: 0..<8) func `the search for a byte in a word finds the same position as a loop`(
        place: Int
    ) {
        let wrong = Self.texts(with: place).filter { bytes in
            let eight = bytes.span.eightBytes(at: 0)
            let isBelow = [UInt8(1), 0x20, 0x80].allSatisfy { value in
                eight.hasByte(below: value) == bytes.contains { $0 < value }
            }
            let isEqual = Self.others.allSatisfy { eight.hasByte($0) == bytes.contains($0) }
            let isFirst = Self.others.allSatisfy { eight.firstIndex(of: $0) == bytes.firstIndex(of: $0) }
            return !isBelow || !isEqual || !isFirst || eight.hasNonASCII != bytes.contains { $0 > 0x7F }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: 0..<8) func `in a word of eight bytes, each byte that equals the character is marked`(place: Int) {
        let wrong = Self.texts(with: place).filter { bytes in
            let eight = bytes.span.eightBytes(at: 0)
            let marks = bytes.indices.reduce(UInt64(0)) { $0 | (bytes[$1] == 0x61 ? 0x80 << UInt64(8 * $1) : 0) }
            return !eight.hasNonASCII && eight.equal(to: "a") != marks
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: 0..<8) func `the lowest mark in a word belongs to the first matching byte`(place: Int) {
        let wrong = Self.texts(with: place).filter { bytes in
            let eight = bytes.span.eightBytes(at: 0)
            let first =
                (eight.marks(below: 0x20) | eight.marks(of: 0x22) | eight.nonASCIIMarks).trailingZeroBitCount / 8
            return first != bytes.firstIndex { $0 < 0x20 || $0 == 0x22 || $0 > 0x7F } ?? 8
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [0, 1, 0x0123_4567, 0x89AB_CDEF, 0xFEDC_BA98, 0x7654_3210, UInt32.max])
    func `a number is written as eight hexadecimal digits and read from them`(number: UInt32) {
        let digits = String(number, radix: 16)
        let text = Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
        let eight = text.span.eightBytes(at: 0)
        #expect(EightBytes(hexadecimal: number) == eight)
        #expect(eight.hexadecimal == number)
    }

    @Test(arguments: 0..<8) func `only hexadecimal digits are accepted as digits, at any position of the word`(
        place: Int
    ) {
        let digits = Array("0123456789abcdef".utf8)
        let wrong = (UInt8.min...UInt8.max).filter { byte in
            var text = Array("90afAF12".lowercased().utf8)
            text[place] = byte
            return (text.span.eightBytes(at: 0).hexadecimal != nil) != digits.contains(byte)
        }
        #expect(wrong.isEmpty)
    }
}

@Suite("Operations on many bytes")
struct SpanBytesTests {
    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) } }

    private static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.span.isSame(as: other.span) }

    @Test(arguments: 1...8) func `a span of up to eight bytes is loaded into one word`(count: Int) {
        let bytes = Self.bytes(count)
        let word = bytes.span.inOneWord.word
        #expect(Set((0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }) == Set(bytes))
    }

    @Test(arguments: 0..<27) func `spans are equal only if every byte is equal`(count: Int) {
        let bytes = Self.bytes(count)
        #expect(Self.areSame(bytes, bytes))
        #expect(!Self.areSame(bytes, bytes + [1]))
        let wrong = bytes.indices.filter { place in
            var other = bytes
            other[place] ^= 0x80
            return Self.areSame(bytes, other)
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: 0..<27) func `spans are appended to an array`(count: Int) {
        let bytes = Self.bytes(count)
        var text: [UInt8] = [1, 2, 3]
        text.append(addingCapacity: count + 31) { (output: inout OutputSpan<UInt8>) in
            output.append(copying: bytes.span)
            output.append(copying: "literal".utf8.span)
            output.append(EightBytes(hexadecimal: 0x0123_4567))
            output.append(hexadecimal: 0x89_ABCD_EF01_2345)
        }
        #expect(text == [1, 2, 3] + bytes + Array("literal012345670089abcdef012345".utf8))
    }

    @Test(arguments: [
        0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, 12_345, 999_999_999, 1_000_000_000, UInt64(UInt32.max),
        UInt64(Int64.max),
        9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max,
    ])
    func `a number is written as its decimal digits`(number: UInt64) {
        #expect(number.digitCount == "\(number)".count)
        let text = String(capacity: 6 + number.digitCount) { output in
            output.append(copying: "id ä ".utf8.span)
            output.append(decimal: number)
        }
        #expect(text == "id ä \(number)")
    }
}
