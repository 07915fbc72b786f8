internal import CMicroHTTPD
internal import Glibc

/// A socket address: a host and port in the system's form.
struct SocketAddress {
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

    /// - Parameter path: where a Unix socket's file is to be.
    init(path: String) throws(DaemonError) {
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let bytes = Array(path.utf8)
        // A zero ends the path.
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout<sockaddr_un>.size - offset else {
            throw .badSocketPath(path)
        }
        storage.ss_family = sa_family_t(AF_UNIX)
        length = socklen_t(offset + bytes.count + 1)
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0[offset...].copyBytes(from: bytes) }
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
