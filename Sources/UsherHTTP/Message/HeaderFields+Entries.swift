extension HeaderFields {
    /// Where one field lies in `bytes`.
    package struct Entry: Sendable {
        package let name: Range<Int>
        package let value: Range<Int>

        /// Reads the lengths at a position; nil at the end.
        init?(_ bytes: Span<UInt8>, at position: Int) {
            guard position < bytes.count else { return nil }
            let nameStart = position + 4
            let nameEnd = nameStart + Int(bytes[position]) + Int(bytes[position + 1]) << 8
            name = nameStart..<nameEnd
            value = nameEnd + 1..<nameEnd + 1 + Int(bytes[position + 2]) + Int(bytes[position + 3]) << 8
        }

        /// Where the next field begins.
        var end: Int { value.upperBound + 1 }
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
