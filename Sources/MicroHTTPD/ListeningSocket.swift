private import CMicroHTTPD
private import Glibc
internal import UsherProcess

/// A listening socket, created here instead of by libmicrohttpd so that errors can state their reason.
package struct ListeningSocket: Sendable {
    /// The descriptor, which the daemon that uses the socket closes.
    package let descriptor: Int32
    /// The port that the socket listens on: the port that the system chose if 0 was requested; 0 for a Unix socket.
    package let port: Int
    private let file: SocketFile?

    init(_ configuration: DaemonConfiguration) throws(DaemonError) {
        if let path = configuration.socketPath {
            try self.init(path: path)
        } else {
            try self.init(host: configuration.host, port: configuration.port)
        }
    }

    /// Listens on a Unix socket that only its owner may connect to.
    private init(path: String) throws(DaemonError) {
        descriptor = Self.make(AF_UNIX)
        port = 0
        do throws(DaemonError) {
            file = try SocketFile.bind(descriptor, path)
            guard listen(descriptor, SOMAXCONN) == 0 else { throw .path(path, errno) }
        } catch {
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw error
        }
    }

    /// Creates a socket that listens on an address.
    ///
    /// - Throws: The reason why the socket cannot listen, as one sentence for the operator.
    package init(host: String, port: Int) throws(DaemonError) {
        let address = try SocketAddress(host: host, port: port)
        descriptor = Self.make(address.family)
        file = nil
        guard descriptor >= 0, Self.listens(descriptor, address) else {
            let failure = Self.error(errno, host: host, port: port)
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw failure
        }
        self.port = SocketAddress(of: descriptor)?.port ?? port
    }

    /// Takes over a listening socket, such as another process's; returns nil if the descriptor is not a TCP socket.
    package init?(inherited descriptor: Int32) {
        guard let port = SocketAddress(of: descriptor)?.port else { return nil }
        usher_take_beginnings(descriptor)
        self.descriptor = descriptor
        self.port = port
        file = nil
    }

    /// Returns a Boolean value that indicates whether the socket listens on an address; port 0 stands for any port.
    package func listens(at host: String, port: Int) -> Bool {
        guard let own = SocketAddress(of: descriptor), let other = try? SocketAddress(host: host, port: port) else {
            return false
        }
        return own.isSameHost(as: other) && (port == 0 || port == self.port)
    }

    var isAwaited: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0 && event.revents == Int16(POLLIN)
    }

    /// Ignores new connections in all processes that share the socket; connections that already wait can be accepted.
    ///
    /// The system of an ignored client tries again after a second. If the socket is closed by then, the connection is
    /// refused.
    func ignoreBeginnings() {
        if let file { file.remove() } else { usher_ignore_beginnings(descriptor) }
    }

    /// Stops listening but keeps the descriptor open, because libmicrohttpd's threads still wait for events on it.
    ///
    /// A descriptor that never becomes readable replaces the socket, here and in libmicrohttpd's epoll sets. The socket
    /// itself may belong to a supervisor, whose next worker accepts the connections. `MHD_quiesce_daemon` cannot be
    /// used: if a thread wakes up at the same time, that thread and `MHD_quiesce_daemon` both remove the socket from
    /// the thread's epoll set, and the second removal aborts the process.
    func stopListening(_ silence: Int32) {
        file?.remove()
        usher_silence(
            descriptor, silence, Int32(clamping: min(DescriptorLimit.current ?? .max, Self.searchedDescriptors)))
    }

    /// The number of descriptors to search for the epoll sets of libmicrohttpd's threads.
    private static let searchedDescriptors = 65_536

    /// Opens a descriptor that never becomes readable, for `stopListening`; -1 if the system has none left.
    static func makeSilence() -> Int32 { usher_open_silence() }

    /// Closes the descriptor, unless libmicrohttpd closed it when it failed to start.
    package func close() {
        file?.remove()
        guard fcntl(descriptor, F_GETFD) != -1 else { return }
        Glibc.close(descriptor)
    }

    private static func make(_ family: Int32) -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func listens(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
        // `SO_REUSEADDR`: a restart need not wait until old connections time out. Two listening sockets still exclude
        // each other.
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        // Accepted connections inherit this size. By default, the system buffers megabytes for each slow reader.
        var room = Self.sendBuffer
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, size)
        return unsafe address.withPointer { unsafe bind(descriptor, $0, $1) } == 0 && listen(descriptor, SOMAXCONN) == 0
    }

    /// The send buffer of each connection, in bytes; the system doubles it.
    private static let sendBuffer: Int32 = 64 * 1024

    private static func error(_ number: Int32, host: String, port: Int) -> DaemonError {
        let place = "cannot listen on \(host):\(port)"
        return switch number {
        case EADDRINUSE:
            DaemonError(
                "\(place): the port is in use", "choose another with --port, or 0 for a free one", isPortInUse: true)
        case EACCES, EPERM:
            DaemonError("\(place): this user may not use the port", "choose one above 1023 with --port")
        case EADDRNOTAVAIL:
            DaemonError(
                "cannot listen on \(host): this machine does not have that address", "choose another with --host")
        default:
            DaemonError("\(place): the system refused with error \(number)", "try another --host or --port")
        }
    }
}
