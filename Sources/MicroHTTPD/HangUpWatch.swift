private import CMicroHTTPD
private import Glibc

/// Watches for peers that have shut down their sending side.
///
/// libmicrohttpd uses edge-triggered events and misses a shutdown that arrives with the last bytes; it would wait until
/// the deadline. Shutting down the read side here as well triggers another event and loses no bytes. libmicrohttpd then
/// reads to the end and closes the connection unless a whole request has arrived.
final class HangUpWatch: Sendable {
    /// The epoll set; -1 if the system had no descriptor left, in which case only deadlines apply.
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func add(_ connection: ConnectionDeadline) {
        _ = usher_watch_hang_up(descriptor, connection.socket, Self.tag(of: connection))
    }

    /// Removes a connection before its socket is closed, because another descriptor may still read from the socket.
    func remove(_ connection: ConnectionDeadline) {
        usher_unwatch(descriptor, connection.socket)
    }

    /// Stops reading from all connections whose peers have hung up since the last call.
    func poke(in connections: Register<ConnectionDeadline>) {
        // On the stack, because this runs forty times a second.
        var tags = InlineArray<64, UInt64>(repeating: 0)
        while true {
            var places = tags.mutableSpan
            let count = unsafe places.withUnsafeMutableBufferPointer { places in
                Int(unsafe usher_wait_for_hang_ups(descriptor, places.baseAddress, Int32(places.count), 0))
            }
            for index in 0..<max(0, count) {
                let tag = tags[index]
                // A new connection may have the address of one that was just closed.
                connections.with(Self.identity(in: tag)) { if Self.tag(of: $0) == tag { $0.hangUp() } }
            }
            guard count == tags.count else { return }
        }
    }

    /// Returns the connection's identity (a 48-bit address) in the lower bits, and its number in the upper 16.
    private static func tag(of connection: ConnectionDeadline) -> UInt64 {
        UInt64(Register<ConnectionDeadline>.identity(of: connection)) | UInt64(connection.number) << 48
    }

    private static func identity(in tag: UInt64) -> UInt { UInt(tag & 0xFFFF_FFFF_FFFF) }
}
