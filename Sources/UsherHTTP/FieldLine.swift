import UsherBytes

/// A field line (RFC 9110 §5.2): the ranges of its name and its value in the buffer of a field section.
///
/// Each line in the buffer is the length of the name and of the value (two bytes each), the name, a zero, the value
/// and a zero. The zeros let a C library read name and value in place.
package struct FieldLine: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>

    /// The number of bytes that a line needs in addition to its name and its value.
    static let overhead = 6

    /// Reads the lengths at a position, or returns nil at the end of the buffer.
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

    var end: Int { value.upperBound &+ 1 }

    /// Appends a line to a buffer, or returns `false` if the name or the value is longer than 65,535 bytes.
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

    // Each length has two bytes, so sums of lengths do not overflow. Nearly always, eight bytes can be read at once.
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
