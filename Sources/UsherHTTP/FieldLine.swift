import UsherBytes

/// A field line (RFC 9110 §5.2): the ranges of its name and its value in the buffer of a field section.
///
/// The buffer has the lines one behind the other: the lengths of name and value, two bytes each, then both with a zero
/// behind, so that a C library can read them where they are.
package struct FieldLine: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>

    /// The bytes of a line beside its name and its value.
    static let overhead = 6

    /// Reads the lengths at a position; nil at the end of the buffer.
    @inline(__always)
    init?(_ buffer: Span<UInt8>, at position: Int) {
        guard position < buffer.count else { return nil }
        let nameStart = position &+ 4
        let lengths = Self.lengths(buffer, at: position)
        let valueStart = nameStart &+ lengths.name &+ 1
        let end = valueStart &+ lengths.value
        name = nameStart..<valueStart &- 1
        value = valueStart..<end
    }

    /// The position of the next line.
    var end: Int { value.upperBound &+ 1 }

    /// Writes a line at the end of a buffer; false if its name or value is longer than any that can be sent.
    static func append(_ name: Span<UInt8>, _ value: Span<UInt8>, to buffer: inout [UInt8]) -> Bool {
        guard name.count <= UInt16.max, value.count <= UInt16.max else { return false }
        buffer.append(addingCapacity: name.count &+ value.count &+ overhead) { output in
            output.append(length: name.count)
            output.append(length: value.count)
            output.append(copying: name)
            output.append(0)
            output.append(copying: value)
            output.append(0)
        }
        return true
    }

    // Two bytes each: no sum of these overflows. Nearly all lines have eight bytes from here on.
    @inline(__always)
    private static func lengths(_ buffer: Span<UInt8>, at position: Int) -> (name: Int, value: Int) {
        guard position <= buffer.count &- 8 else {
            return (length(buffer, at: position), length(buffer, at: position &+ 2))
        }
        let word = buffer.eightBytes(at: position).word
        return (Int(word & 0xFFFF), Int(word &>> 16 & 0xFFFF))
    }

    private static func length(_ buffer: Span<UInt8>, at position: Int) -> Int {
        Int(buffer[position]) | Int(buffer[position &+ 1]) &<< 8
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(length: Int) {
        append(UInt8(truncatingIfNeeded: length))
        append(UInt8(truncatingIfNeeded: length >> 8))
    }
}

/// The lines of a field section, in order.
package struct FieldLines: Sequence, IteratorProtocol {
    private let buffer: [UInt8]
    private var position = 0

    init(_ buffer: [UInt8]) {
        self.buffer = buffer
    }

    package mutating func next() -> FieldLine? {
        guard let line = FieldLine(buffer.span, at: position) else { return nil }
        position = line.end
        return line
    }
}
