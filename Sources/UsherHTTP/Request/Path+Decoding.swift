extension Path {
    /// Decodes the part of a raw target that is its path, from its first `/`.
    ///
    /// Refuses a bad escape, a control character, invalid UTF-8, a backslash and the segments `.` and `..`, however
    /// they are escaped.
    init(decoding raw: Span<UInt8>, _ range: Range<Int>) throws(Problem) {
        var decoding = PercentDecoding(capacity: range.count)
        var position = range.lowerBound + 1
        while position < range.upperBound {
            if raw[position] == UInt8(ascii: "/") {
                decoding.endSegment()
                position += 1
            } else {
                position = try decoding.take(raw, at: position, until: range.upperBound)
            }
        }
        self.init(bytes: try decoding.finish())
        try refuseClimbing()
    }

    private func refuseClimbing() throws(Problem) {
        var start = 0
        for position in 0...bytes.count where position == bytes.count || Self.separates(bytes[position]) {
            try Self.check(bytes[start..<position])
            start = position + 1
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw Problem(.badRequest, "The path holds a backslash; its segments are separated by /.")
        }
    }

    // A decoded %2F is no separator here, but a file system would take it for one.
    private static func separates(_ byte: UInt8) -> Bool {
        byte == 0 || byte == UInt8(ascii: "/")
    }

    private static func check(_ segment: ArraySlice<UInt8>) throws(Problem) {
        guard segment.count <= 2, !segment.isEmpty, segment.allSatisfy({ $0 == UInt8(ascii: ".") }) else { return }
        throw Problem(.badRequest, "The path holds a . or .. segment; send the path that it stands for.")
    }
}
