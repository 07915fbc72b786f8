extension RawConnection {
    /// Reads one final response; interim ones (1xx) are skipped.
    ///
    /// - Parameter toHead: whether the request was a `HEAD`, whose response has no body whatever its fields say.
    public func readResponse(toHead: Bool = false) throws(ClientError) -> RawResponse {
        while true {
            var response = try RawResponse(head: String(decoding: readHead(), as: UTF8.self))
            if (100...199).contains(response.status) { continue }
            if !toHead { response.body = try readBody(of: response) }
            return response
        }
    }

    /// Reads one head, interim or final, and nothing of a body.
    public func readInterim() throws(ClientError) -> RawResponse {
        try RawResponse(head: String(decoding: readHead(), as: UTF8.self))
    }

    private func readHead() throws(ClientError) -> [UInt8] {
        let end = Array("\r\n\r\n".utf8)
        var searched = 0
        while true {
            if let index = received.firstIndex(of: end, from: max(0, searched - 3)) { return take(index + 4) }
            searched = received.count
            guard try receive() else { throw .closed(bytes: received.count) }
        }
    }

    private func readBody(of response: RawResponse) throws(ClientError) -> [UInt8] {
        if response.status == 204 || response.status == 304 { return [] }
        if response["Transfer-Encoding"]?.lowercased() == "chunked" { return try readChunks() }
        if let length = response["Content-Length"].flatMap({ Int($0) }) { return try read(length) }
        return try readToEnd()
    }

    /// Reads all up to the end of the connection.
    public func readToEnd() throws(ClientError) -> [UInt8] {
        while try receive() {}
        return take(received.count)
    }

    private func readChunks() throws(ClientError) -> [UInt8] {
        var body: [UInt8] = []
        while let chunk = try readChunk() { body += chunk }
        return body
    }

    /// Reads one chunk of a body; nil is the end of the body.
    public func readChunk() throws(ClientError) -> [UInt8]? {
        let line = String(decoding: try readLine().prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        guard let size = Int(line, radix: 16) else { throw .malformed(line) }
        let chunk = try read(size)
        _ = try readLine()
        return size == 0 ? nil : chunk
    }

    private func readLine() throws(ClientError) -> [UInt8] {
        while true {
            if let index = received.firstIndex(of: [13, 10], from: 0) { return take(index + 2).dropLast(2) }
            guard try receive() else { throw .closed(bytes: received.count) }
        }
    }

    private func read(_ count: Int) throws(ClientError) -> [UInt8] {
        while received.count < count {
            guard try receive() else { throw .closed(bytes: received.count) }
        }
        return take(count)
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard count >= pattern.count else { return nil }
        return (start...(Swift.max(start, count - pattern.count))).first { index in
            index + pattern.count <= count && self[index..<index + pattern.count].elementsEqual(pattern)
        }
    }
}
