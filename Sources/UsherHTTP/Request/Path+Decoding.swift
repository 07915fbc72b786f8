extension Path {
    /// Decodes the part of a raw target that is its path, from its first `/` to a `?` or the end.
    ///
    /// Refuses a byte that no target may hold, a bad escape, a control character, invalid UTF-8, a backslash and the
    /// segments `.` and `..`, however they are escaped.
    ///
    /// - Parameters:
    ///   - raw: The target.
    ///   - position: Where the path begins, and then where it has ended.
    ///   - memory: An array whose memory is used again.
    init(decoding raw: Span<UInt8>, at position: inout Int, into memory: consuming [UInt8]) throws(Problem) {
        var decoding = PercentDecoding(into: memory, capacity: raw.count - position)
        if position < raw.count, raw[position] == UInt8(ascii: "/") { position += 1 }
        position = decoding.takePlain(raw, at: position)
        while position < raw.count, raw[position] != UInt8(ascii: "?") {
            guard Target.isAllowed(raw[position]) else { throw Target.illegalByte }
            position = try decoding.take(raw, at: position, until: raw.count)
            position = decoding.takePlain(raw, at: position)
        }
        let mayClimb = decoding.mayClimb
        self.init(bytes: try decoding.finish())
        if mayClimb { try refuseClimbing() }
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
