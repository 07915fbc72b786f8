private import Glibc

/// A TCP connection to a port of 127.0.0.1, over which a test says what it likes.
///
/// Every wait ends after the time-out, so that no test hangs.
public final class RawConnection {
    private let descriptor: Int32
    var received: [UInt8] = []
    /// What came in chunks and was not read as an event yet.
    var content: [UInt8] = []

    /// Connects.
    ///
    /// - Parameter timeout: the seconds that `send` and `readResponse` wait at most.
    public init(port: Int, timeout: Int = 30) throws(ClientError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotConnect(errorNumber: errno) }
        setTimeout(timeout)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafeBytes(of: address) { bytes in
            unsafe connect(
                descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else { throw .cannotConnect(errorNumber: errno) }
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

    /// Says that nothing more will be sent, and goes on reading.
    public func finishSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the peer ends the connection within the time-out, without sending anything more.
    public var closedByPeer: Bool {
        guard received.isEmpty else { return false }
        do {
            return try !receive()
        } catch {
            return false
        }
    }

    /// Waits a moment for the peer to end the connection.
    ///
    /// - Throws: if it does.
    public func ifClosed(within milliseconds: Int32) throws(ClientError) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&event, 1, milliseconds) > 0 else { return }
        guard try receive() else { throw .closed(bytes: received.count) }
    }

    /// - Returns: false at the end of the connection, also if the peer broke it off.
    func receive() throws(ClientError) -> Bool {
        var part = [UInt8](repeating: 0, count: 65536)
        let count = unsafe part.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EAGAIN || errno == EINTR { throw .timedOut }
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
