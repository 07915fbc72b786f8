extension HeaderFields {
    /// Where one field lies in `bytes`.
    package struct Entry: Sendable {
        package let name: Range<Int>
        package let value: Range<Int>

        /// Reads the lengths at a position; nil at the end.
        init?(_ bytes: Span<UInt8>, at position: Int) {
            guard position < bytes.count else { return nil }
            let nameStart = position &+ 4
            let valueStart = nameStart &+ Self.length(bytes, at: position) &+ 1
            let end = valueStart &+ Self.length(bytes, at: position &+ 2)
            name = nameStart..<valueStart &- 1
            value = valueStart..<end
        }

        // Two bytes: no sum of these overflows.
        private static func length(_ bytes: Span<UInt8>, at position: Int) -> Int {
            Int(bytes[position]) | Int(bytes[position &+ 1]) &<< 8
        }

        /// Where the next field begins.
        var end: Int { value.upperBound &+ 1 }
    }

    /// Where the fields lie, in order.
    package var entries: Entries { Entries(bytes: bytes) }

    /// Walks over a header section.
    package struct Entries: Sequence, IteratorProtocol {
        fileprivate let bytes: [UInt8]
        private var position = 0

        fileprivate init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        package mutating func next() -> Entry? {
            guard let entry = Entry(bytes.span, at: position) else { return nil }
            position = entry.end
            return entry
        }
    }
}
