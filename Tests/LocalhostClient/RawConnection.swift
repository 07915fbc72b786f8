private import Glibc

/// A TCP connection to a port of 127.0.0.1, over which a test can send any bytes.
///
/// Every wait has a timeout, so that no test hangs.
public final class RawConnection {
    private let descriptor: Int32
    private var received: [UInt8] = []
    /// The content of chunks that was not yet parsed as an event.
    private var content: [UInt8] = []

    /// Connects to the port.
    ///
    /// - Parameters:
    ///   - host: The last number of the connection's address 127.0.0.N; by default, the system chooses the address.
    ///   - timeout: The maximum number of seconds that `send` and `readResponse` wait.
    ///   - room: The number of bytes that the system buffers before they are read; by default, the system chooses it.
    public init(port: Int, from host: UInt8? = nil, timeout: Int = 30, room: Int32? = nil) throws(ClientError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotConnect(errorNumber: errno) }
        setTimeout(timeout)
        if var room {
            _ = unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        }
        if let host {
            let own = Self.address(0, host: host)
            let isBound = unsafe withUnsafeBytes(of: own) { bytes in
                unsafe bind(
                    descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
            }
            guard isBound == 0 else { throw .cannotConnect(errorNumber: errno) }
        }
        let result = unsafe withUnsafeBytes(of: Self.address(port, host: 1)) { bytes in
            unsafe connect(
                descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else { throw .cannotConnect(errorNumber: errno) }
    }

    private static func address(_ port: Int, host: UInt8) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        return address
    }

    deinit {
        close(descriptor)
    }

    /// Sends text as UTF-8.
    public func send(_ text: String) throws(ClientError) {
        try send(Array(text.utf8))
    }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .cannotSend(errorNumber: errno) }
            sent += count
        }
    }

    /// Closes the sending side, and continues to read.
    public func finishSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the peer closes the connection before the timeout, without sending anything.
    public var closedByPeer: Bool {
        guard received.isEmpty else { return false }
        do {
            return try !receive()
        } catch {
            return false
        }
    }

    /// A Boolean value that indicates whether the peer has closed the connection, as servers do with idle connections.
    var isOver: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) != 0
    }

    /// Waits briefly for the peer to close the connection.
    ///
    /// - Throws: An error if the peer closes it.
    public func ifClosed(within milliseconds: Int32) throws(ClientError) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&event, 1, milliseconds) > 0 else { return }
        guard try receive() else { throw .closed(bytes: received.count) }
    }

    /// - Returns: `false` at the end of the connection, even if the peer reset it.
    private func receive() throws(ClientError) -> Bool {
        var part = [UInt8](repeating: 0, count: 65536)
        // If a process is stopped and continued, its reads with a timeout are interrupted (signal(7)).
        var count: Int
        repeat {
            count = unsafe part.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        } while count < 0 && errno == EINTR
        if count < 0, errno == EAGAIN { throw .timedOut }
        guard count > 0 else { return false }
        received += part.prefix(count)
        return true
    }

    private func setTimeout(_ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }
}

extension RawConnection {
    /// Sends a request up to its body, and waits until the server asks for the body.
    ///
    /// - Parameter body: The JSON that the caller will send.
    /// - Returns: The interim response.
    public func begin(_ method: String, _ target: String, body: String) throws(ClientError) -> RawResponse {
        try send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n")
        return try readInterim()
    }

    /// Reads one final response, and skips interim responses (1xx).
    ///
    /// - Parameter toHead: Whether the request is a `HEAD` request, whose response has no body, whatever its fields
    ///   say.
    public func readResponse(toHead: Bool = false) throws(ClientError) -> RawResponse {
        while true {
            var response = try RawResponse(head: String(decoding: readHead(), as: UTF8.self))
            if (100...199).contains(response.status) { continue }
            if !toHead { response.body = try readBody(of: response) }
            return response
        }
    }

    /// Reads the head of an interim or final response, without its body.
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

    /// Reads everything up to the end of the connection.
    public func readToEnd() throws(ClientError) -> [UInt8] {
        while try receive() {}
        return take(received.count)
    }

    private func readChunks() throws(ClientError) -> [UInt8] {
        var body: [UInt8] = []
        while let chunk = try readChunk() { body += chunk }
        return body
    }

    /// Reads one chunk of a body; nil at the end of the body.
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

extension RawConnection {
    /// Reads the lines of one server-sent event, with its comments, from a chunked body; nil at the end of the body.
    ///
    /// An event may consist of several chunks, and a chunk may contain several events.
    public func readEvent() throws(ClientError) -> [String]? {
        while true {
            if let event = takeEvent() { return event }
            if let chunk = try readChunk() { content += chunk; continue }
            guard content.isEmpty else { throw .malformed(String(decoding: content, as: UTF8.self)) }
            return nil
        }
    }

    // Lines end with a line feed, and an event with an empty line.
    private func takeEvent() -> [String]? {
        let feed = UInt8(ascii: "\n")
        guard let end = content.indices.dropFirst().first(where: { content[$0] == feed && content[$0 - 1] == feed })
        else { return nil }
        defer { content.removeSubrange(...end) }
        return content[..<end].split(separator: feed).map { String(decoding: $0, as: UTF8.self) }
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
