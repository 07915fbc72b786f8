private import CMicroHTTPD
private import Glibc

/// A listening socket; made here and not by libmicrohttpd, so that a refusal can say the reason.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int
    /// The file of a Unix socket.
    private let file: SocketFile?

    init(_ configuration: DaemonConfiguration) throws(DaemonError) {
        if let path = configuration.socketPath {
            try self.init(path: path)
        } else {
            try self.init(host: configuration.host, port: configuration.port)
        }
    }

    /// Listens on a Unix socket that its owner alone may connect to.
    private init(path: String) throws(DaemonError) {
        let address = try SocketAddress(path: path)
        descriptor = Self.make(address.family)
        port = 0
        do throws(DaemonError) {
            file = try SocketFile.bind(descriptor, address, path)
            guard listen(descriptor, SOMAXCONN) == 0 else { throw .cannotListenAt(path: path, errorNumber: errno) }
        } catch {
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw error
        }
    }

    private init(host: String, port: Int) throws(DaemonError) {
        let address = try SocketAddress(host: host, port: port)
        descriptor = Self.make(address.family)
        file = nil
        guard descriptor >= 0, Self.listens(descriptor, address) else {
            let failure = Self.error(errno, host: host, port: port)
            if descriptor >= 0 { Glibc.close(descriptor) }
            throw failure
        }
        self.port = Self.port(of: descriptor) ?? port
    }

    /// True while a connection waits to be accepted.
    var isAwaited: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0 && event.revents == Int16(POLLIN)
    }

    /// Takes no connection any more; the descriptor stays taken, for libmicrohttpd's threads still look at it.
    ///
    /// A descriptor that is silent for ever takes the socket's place, and the system closes the socket and forgets it
    /// wherever it is waited for. `MHD_quiesce_daemon` does not do: it and a thread that is just awake both remove the
    /// socket from the thread's epoll set, and the second of them aborts the process.
    func stopListening() {
        file?.remove()
        if !usher_silence(descriptor) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Gives the descriptor back, unless that was done already: libmicrohttpd closes it at some of its failures.
    func close() {
        file?.remove()
        guard fcntl(descriptor, F_GETFD) != -1 else { return }
        Glibc.close(descriptor)
    }

    private static func make(_ family: Int32) -> Int32 {
        socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func listens(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
        // A restart need not wait for the connections of the process before; two that listen still exclude each other.
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        // Its connections have it as well. Left alone, the system takes in megabytes for each reader that is slow.
        var room = Self.sendBuffer
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, size)
        return unsafe address.withPointer { unsafe bind(descriptor, $0, $1) } == 0 && listen(descriptor, SOMAXCONN) == 0
    }

    /// Bytes that the system takes in for each connection before they are sent; it counts twice as many.
    private static let sendBuffer: Int32 = 64 * 1024

    private static func port(of descriptor: Int32) -> Int? {
        var address = sockaddr_in6()  // Large enough for both; the port lies at the same place.
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        return result == 0 ? Int(UInt16(bigEndian: address.sin6_port)) : nil
    }

    private static func error(_ number: Int32, host: String, port: Int) -> DaemonError {
        switch number {
        case EADDRINUSE: .portInUse(host: host, port: port)
        case EACCES, EPERM: .notPermitted(host: host, port: port)
        case EADDRNOTAVAIL: .addressNotAvailable(host: host)
        default: .cannotListen(host: host, port: port, errorNumber: number)
        }
    }
}
