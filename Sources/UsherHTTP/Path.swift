import UsherBytes

/// The path of a request target, split into segments first and percent-decoded afterwards (RFC 3986 §3.3).
///
/// A `%2F` is therefore a character of its segment. `/a/` has an empty second segment, and differs from `/a`.
package struct Path: Hashable, Sendable {
    /// The decoded segments, separated by zeros, which no segment can contain.
    package private(set) var bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Creates a path from decoded text; the first `/` is optional, and `*` is the asterisk form.
    package init(_ text: String) {
        guard text != "*" else {
            self = .asterisk
            return
        }
        let relative = text.utf8.first == UInt8(ascii: "/") ? text.utf8.dropFirst() : text.utf8[...]
        bytes = relative.map { $0 == UInt8(ascii: "/") ? 0 : $0 }
    }

    /// Decodes the path of a raw target, up to a `?` or the end.
    ///
    /// - Parameters:
    ///   - raw: The target.
    ///   - position: The start of the path; set to its end.
    ///   - buffer: An empty array whose memory is reused.
    /// - Throws: A 400 for an illegal byte, a bad escape, a control character, invalid UTF-8, a backslash, or a `.` or
    ///   `..` segment, escaped or not.
    init(decoding raw: Span<UInt8>, at position: inout Int, into buffer: consuming [UInt8]) throws(Problem) {
        var decoding = PercentDecoding(into: buffer, capacity: raw.count - position)
        if position < raw.count, raw[position] == UInt8(ascii: "/") { position += 1 }
        position = decoding.decodePlain(raw, at: position)
        while position < raw.count, raw[position] != UInt8(ascii: "?") {
            guard RequestTarget.isAllowed(raw[position]) else { throw RequestTarget.illegalByte }
            position = try decoding.decode(raw, at: position)
            position = decoding.decodePlain(raw, at: position)
        }
        let mayTraverse = decoding.mayTraverse
        self.init(bytes: try decoding.finish())
        if mayTraverse { try refuseTraversal() }
    }

    /// The asterisk form `*` (RFC 9112 §3.2.4): one segment with a control character, which no decoded path contains.
    package static let asterisk = Path(bytes: [1])

    /// Returns the range in `bytes` of the segment that starts at an offset.
    package func segment(at start: Int) -> Range<Int> {
        let bytes = bytes.span
        var end = start
        while end <= bytes.count &- 8 {
            if let index = bytes.eightBytes(at: end).firstIndex(of: 0) { return start..<end &+ index }
            end &+= 8
        }
        while end < bytes.count, bytes[end] != 0 { end &+= 1 }
        return start..<end
    }

    /// Changes the path to `/` and swaps the buffer with an empty one.
    mutating func exchangeBuffer(with empty: inout [UInt8]) {
        swap(&bytes, &empty)
    }

    // Also splits at a `/` inside a segment, because a file system would treat a decoded `%2F` as a separator.
    private func refuseTraversal() throws(Problem) {
        let isTraversing = bytes.split { $0 == 0 || $0 == UInt8(ascii: "/") }.contains { segment in
            segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
        }
        guard !isTraversing else {
            throw Problem(.badRequest, "The path has a . or .. segment; send the path without such segments.")
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw Problem(.badRequest, "The path has a backslash; separate its segments with /.")
        }
    }
}

extension Path: CustomStringConvertible {
    /// The decoded path with `/` before each segment; a `/` inside a segment looks like a separator.
    package var description: String {
        self == .asterisk
            ? "*" : "/" + String(decoding: bytes.lazy.map { $0 == 0 ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }
}
