extension Path {
    /// Decodes the part of a raw target that is its path, from its first `/`.
    ///
    /// Refuses a bad escape, a control character, invalid UTF-8, a backslash and the segments `.` and `..`, however
    /// they are escaped.
    init(decoding raw: Span<UInt8>, _ range: Range<Int>) throws(Problem) {
        var decoding = PercentDecoding(capacity: range.count)
        var position = range.lowerBound + 1
        while position < range.upperBound {
            switch raw[position] {
            case UInt8(ascii: "%"):
                position = try decoding.take(raw, at: position, until: range.upperBound)
                continue
            case UInt8(ascii: "/"): decoding.endSegment()
            case let byte: decoding.keep(byte)
            }
            position += 1
        }
        self.init(bytes: try decoding.finish())
        if bytes.contains(UInt8(ascii: ".")) || bytes.contains(UInt8(ascii: "\\")) { try refuseClimbing() }
    }

    // A decoded %2F is no separator here, but a file system would take it for one.
    private func refuseClimbing() throws(Problem) {
        let isClimbing = bytes.split { $0 == 0 || $0 == UInt8(ascii: "/") }.contains { segment in
            segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
        }
        guard !isClimbing else {
            throw Problem(.badRequest, "The path holds a . or .. segment; send the path that it stands for.")
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw Problem(.badRequest, "The path holds a backslash; its segments are separated by /.")
        }
    }
}
