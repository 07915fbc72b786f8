import UsherBytes

/// The path of a request target, split into segments first and percent-decoded after (RFC 3986 §3.3).
///
/// So `%2F` in a segment is a character of it and not a separator. `/a/` has two segments, `a` and an empty one, and
/// is another path than `/a`.
package struct Path: Hashable, Sendable {
    /// The decoded segments with a zero between each two, which no segment can hold.
    package private(set) var bytes: [UInt8]

    private init(bytes: [UInt8]) {
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

    /// Decodes the part of a raw target that is its path, from its first `/` to a `?` or the end.
    ///
    /// Refuses a byte that no target may hold, a bad escape, a control character, invalid UTF-8, a backslash and the
    /// segments `.` and `..`, however they are escaped.
    ///
    /// - Parameters:
    ///   - raw: The target.
    ///   - position: The start of the path, and then its end.
    ///   - buffer: An empty array whose memory is used again.
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

    /// The server as a whole, `*` (RFC 9112 §3.2.4): one segment of a control character, which no real path can hold.
    package static let asterisk = Path(bytes: [1])

    /// The bytes of the segment that begins at an offset into `bytes`.
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

    /// Becomes the root's path, and exchanges the buffer for another, which is empty.
    mutating func exchangeBuffer(with empty: inout [UInt8]) {
        swap(&bytes, &empty)
    }

    // A decoded %2F is no separator here, but a file system would take it for one.
    private func refuseTraversal() throws(Problem) {
        let isTraversing = bytes.split { $0 == 0 || $0 == UInt8(ascii: "/") }.contains { segment in
            segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
        }
        guard !isTraversing else {
            throw Problem(.badRequest, "The path holds a . or .. segment; send the path that it stands for.")
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw Problem(.badRequest, "The path holds a backslash; its segments are separated by /.")
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
