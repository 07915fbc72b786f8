private import CMicroHTTPD
private import Glibc
internal import Synchronization
internal import UsherProcess

/// The sockets of connections that ended before their clients had sent everything, read for a while (RFC 9112 §9.6).
///
/// Closing a socket with unread bytes resets the connection, and the client may lose the response. A proxy that is
/// still sending a body would report the reset as a failure of the server.
final class HalfClosedSockets: Sendable {
    private struct Socket {
        let descriptor: Int32
        let end: Int64
        /// The number of bytes that may still be read.
        var allowance: Int

        /// Reads and discards the bytes that have arrived; returns `false` when the time or the allowance is used up.
        mutating func discard(at now: Int64) -> Bool {
            guard now < end else { return false }
            while allowance > 0 {
                // On a stream socket, `MSG_TRUNC` discards the bytes.
                let count = recv(descriptor, nil, allowance, Int32(MSG_TRUNC) | Int32(MSG_DONTWAIT))
                if count < 0 { return errno == EAGAIN || errno == EINTR }
                guard count > 0 else { return false }
                allowance -= count
            }
            return false
        }
    }

    private struct Contents {
        var isClosed = false
        var sockets: [Socket] = []
    }

    private let contents = Mutex(Contents())
    private let limit: Int
    private let time: Int64

    /// Creates a collection of up to `limit` sockets, each read for `time` ns; further sockets are closed at once.
    init(limit: Int, time: Int64) {
        self.limit = limit
        self.time = time
    }

    var isEmpty: Bool { contents.withLock { $0.sockets.isEmpty } }

    /// Adds a socket that is about to be closed, if it has unread bytes, or if more bytes are certain to come.
    func keep(_ socket: Int32, isExpected: Bool) {
        guard isExpected || usher_unread(socket) > 0 else { return }
        contents.withLock { contents in
            guard !contents.isClosed, contents.sockets.count < limit else { return }
            let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return }
            _ = shutdown(descriptor, Int32(SHUT_WR))
            contents.sockets.append(
                Socket(descriptor: descriptor, end: CoarseClock.time(in: time), allowance: Self.allowance))
        }
    }

    /// Reads from all sockets, and closes each socket that its client closed, or whose time or allowance is used up.
    func read(at now: Int64) {
        contents.withLock { contents in
            guard !contents.sockets.isEmpty else { return }
            contents.sockets = contents.sockets.compactMap { socket in
                var socket = socket
                if socket.discard(at: now) { return socket }
                close(socket.descriptor)
                return nil
            }
        }
    }

    /// Closes all sockets, and rejects further ones.
    func closeAll() {
        contents.withLock { contents in
            for socket in contents.sockets { close(socket.descriptor) }
            contents = Contents(isClosed: true)
        }
    }

    /// The largest number of bytes to read from a socket: several times the body size that proxies accept by default.
    private static let allowance = 4 << 20
}
