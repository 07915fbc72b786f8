private import CMicroHTTPD
private import Glibc

/// Watches for peers that have shut down their sending side.
///
/// libmicrohttpd uses edge-triggered events, so it misses a shutdown that arrives with the last bytes, and would wait
/// until the deadline. Here, the reading side is shut down as well, which causes another event and loses no bytes.
/// libmicrohttpd then reads to the end, and closes the connection unless a whole request has arrived.
final class HangUpWatch: Sendable {
    /// The epoll set, or -1 for lack of a descriptor; then only deadlines end the connections of half-closed peers.
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func add(_ connection: ConnectionDeadline) {
        _ = usher_watch_hang_up(descriptor, connection.socket, Self.tag(of: connection))
    }

    /// Removes a connection before its socket is closed.
    ///
    /// Closing the socket's descriptor would not remove the connection from the epoll set while another descriptor for
    /// the same socket is still read.
    func remove(_ connection: ConnectionDeadline) {
        usher_unwatch(descriptor, connection.socket)
    }

    /// Stops reading from all connections whose peers have hung up since the last call.
    func poke(in connections: Register<ConnectionDeadline>) {
        // An inline array needs no allocation; this code runs forty times a second.
        var tags = InlineArray<64, UInt64>(repeating: 0)
        while true {
            var places = tags.mutableSpan
            let count = unsafe places.withUnsafeMutableBufferPointer { places in
                Int(unsafe usher_wait_for_hang_ups(descriptor, places.baseAddress, Int32(places.count), 0))
            }
            for index in 0..<max(0, count) {
                let tag = tags[index]
                // Compare the tags, because a new connection may have the memory address of a connection that was just
                // closed.
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
