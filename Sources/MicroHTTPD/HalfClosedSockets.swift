private import CMicroHTTPD
private import Glibc
internal import Synchronization
internal import UsherProcess

/// The sockets of connections that have ended before their clients had said all, read on for a while (RFC 9112 §9.6).
///
/// A socket that is closed with bytes unread resets its connection, and the answer may be lost: a proxy that is still
/// sending a body takes the reset for a broken server.
final class HalfClosedSockets: Sendable {
    private struct Socket {
        let descriptor: Int32
        let end: Int64
        /// The bytes that are still read.
        var allowance: Int

        /// Reads and discards what has come.
        ///
        /// - Returns: False at the end, of the time or of the bytes.
        mutating func discard(at now: Int64) -> Bool {
            guard now < end else { return false }
            while allowance > 0 {
                // Of a stream, MSG_TRUNC has the system discard the bytes.
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

    /// - Parameters:
    ///   - limit: The most sockets that linger; further ones are closed at once.
    ///   - time: Nanoseconds for which each is read.
    init(limit: Int, time: Int64) {
        self.limit = limit
        self.time = time
    }

    /// A Boolean value indicating whether there are none.
    var isEmpty: Bool { contents.withLock { $0.sockets.isEmpty } }

    /// Keeps a socket open that is about to be closed, if its client may still be sending.
    ///
    /// - Parameter isExpected: True if more is to come for certain; else it is if something has come already.
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

    /// Reads what has come to all of them.
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

    /// Closes all, and keeps no other.
    func closeAll() {
        contents.withLock { contents in
            for socket in contents.sockets { close(socket.descriptor) }
            contents = Contents(isClosed: true)
        }
    }

    /// A body as large as proxies take by default, several times.
    private static let allowance = 4 << 20
}
