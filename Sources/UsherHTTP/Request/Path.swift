/// The path of a request target, split into segments first and percent-decoded after (RFC 3986 §3.3).
///
/// So `%2F` in a segment is a character of it and not a separator. `/a/` has two segments, `a` and an empty one, and
/// is another path than `/a`.
package struct Path: Hashable, Sendable {
    /// The decoded segments with a zero between each two, which no segment can hold.
    package internal(set) var bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A path from decoded text: every `/` separates, a first one is not needed; `*` alone is the server as a whole.
    package init(_ text: String) {
        guard text != "*" else {
            self = .asterisk
            return
        }
        let relative = text.utf8.first == UInt8(ascii: "/") ? text.utf8.dropFirst() : text.utf8[...]
        bytes = relative.map { $0 == UInt8(ascii: "/") ? 0 : $0 }
    }

    /// The server as a whole, `*` (RFC 9112 §3.2.4): one segment of a control character, which no real path can hold.
    package static let asterisk = Path(bytes: [1])

    /// The segments, decoded, in order; at least one.
    package var segments: Segments { Segments(bytes: bytes) }

    /// The bytes of the segment that begins at an offset into `bytes`.
    package func segment(at start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, bytes[end] != 0 { end += 1 }
        return start..<end
    }

    /// The decoded segments of a path, one after the other, without an array of them.
    package struct Segments: Sequence, Sendable {
        let bytes: [UInt8]

        /// An iterator at the first segment.
        package func makeIterator() -> Iterator { Iterator(bytes: bytes) }

        /// Walks the segments.
        package struct Iterator: IteratorProtocol {
            let bytes: [UInt8]
            var start = 0

            /// The UTF-8 of the next segment.
            package mutating func next() -> ArraySlice<UInt8>? {
                guard start <= bytes.count else { return nil }
                let rest = bytes[start...]
                let segment = rest.prefix { $0 != 0 }
                start = segment.endIndex + 1
                return segment
            }
        }
    }
}

extension Path: CustomStringConvertible {
    /// The decoded path with `/` before each segment; a `/` within one cannot be told apart here.
    package var description: String {
        self == .asterisk
            ? "*" : "/" + String(decoding: bytes.lazy.map { $0 == 0 ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }
}
