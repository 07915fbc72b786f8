private import CMicroHTTPD
private import Glibc

/// A listening socket; made here and not by libmicrohttpd, so that a refusal can say the reason.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    init(host: String, port: Int) throws(DaemonError) {
        let address = try SocketAddress(host: host, port: port)
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, type, 0)
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
        if !usher_silence(descriptor) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Gives the descriptor back, unless that was done already: libmicrohttpd closes it at some of its failures.
    func close() {
        guard fcntl(descriptor, F_GETFD) != -1 else { return }
        Glibc.close(descriptor)
    }

    private static func listens(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
        // A restart need not wait for the connections of the process before; two that listen still exclude each other.
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        return unsafe address.withPointer { unsafe bind(descriptor, $0, $1) } == 0 && listen(descriptor, SOMAXCONN) == 0
    }

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

/// A socket address: a host and port in the system's form.
private struct SocketAddress {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// - Parameter host: an IPv4 address, an IPv6 address with or without brackets, or `localhost`.
    init(host: String, port: Int) throws(DaemonError) {
        guard let number = UInt16(exactly: port) else { throw .badPort(port) }
        let name = host == "localhost" ? "127.0.0.1" : Self.withoutBrackets(host)
        if let address = Self.version4(name, number) {
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in.self) }
        } else if let address = Self.version6(name, number) {
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in6.self) }
        } else {
            throw .badHost(host)
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        unsafe withUnsafeBytes(of: storage) { bytes in
            // A sockaddr_storage is never without bytes.
            unsafe body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.unsafelyUnwrapped, length)
        }
    }

    private static func version4(_ host: String, _ port: UInt16) -> sockaddr_in? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 ? address : nil
    }

    private static func version6(_ host: String, _ port: UInt16) -> sockaddr_in6? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 ? address : nil
    }

    private static func withoutBrackets(_ host: String) -> String {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return host }
        return String(host.dropFirst().dropLast())
    }
}
