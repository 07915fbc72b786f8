internal import CMicroHTTPD
internal import Glibc
internal import UsherHTTP

/// An IP address and a port in the system's form.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    /// Parses an IPv4 address, an IPv6 address with or without brackets, or `localhost`.
    init(host: String, port: Int) throws(DaemonError) {
        guard let number = UInt16(exactly: port) else {
            throw .init(
                "cannot listen on port \(port): a port is a number from 0 to 65535",
                "choose one with --port, or 0 for a free one")
        }
        let name = host == "localhost" ? "127.0.0.1" : host.withoutBrackets
        if let address = Self.version4(name, number) {
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in.self) }
        } else if let address = Self.version6(name, number) {
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in6.self) }
        } else {
            throw .init(
                "cannot listen on \(host): it is not an IPv4 or IPv6 address",
                "choose one with --host, such as localhost")
        }
    }

    /// The address that a socket is bound to; nil if that is not an IP address.
    init?(of descriptor: Int32) {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        guard result == 0, [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return nil }
        self.length = length
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// The port, which has the same offset in both families.
    var port: Int {
        unsafe withUnsafeBytes(of: storage) {
            Int(UInt16(bigEndian: unsafe $0.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    func isSameHost(as other: SocketAddress) -> Bool {
        family == other.family && host.elementsEqual(other.host)
    }

    /// The bytes of the address without its port.
    private var host: [UInt8] {
        let range = family == AF_INET ? 4..<8 : 8..<24
        return unsafe withUnsafeBytes(of: storage) { unsafe Array($0[range]) }
    }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        unsafe withUnsafeBytes(of: storage) { bytes in
            // A `sockaddr_storage` is never empty.
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
}
