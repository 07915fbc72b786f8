extension RawConnection {
    /// Reads the lines of one server-sent event from a chunked body, comments among them; nil is the end of the body.
    ///
    /// An event may come in several chunks, and a chunk may hold several events.
    public func readEvent() throws(ClientError) -> [String]? {
        while true {
            if let event = takeEvent() { return event }
            if let chunk = try readChunk() { content += chunk; continue }
            guard content.isEmpty else { throw .malformed(String(decoding: content, as: UTF8.self)) }
            return nil
        }
    }

    // Lines end with a line feed here, and an event with an empty line.
    private func takeEvent() -> [String]? {
        let feed = UInt8(ascii: "\n")
        guard let end = content.indices.dropFirst().first(where: { content[$0] == feed && content[$0 - 1] == feed })
        else { return nil }
        defer { content.removeSubrange(...end) }
        return content[..<end].split(separator: feed).map { String(decoding: $0, as: UTF8.self) }
    }
}
