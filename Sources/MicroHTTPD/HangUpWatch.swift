private import CMicroHTTPD
private import Glibc

/// The watch for peers that say they send no more.
///
/// libmicrohttpd does not see that when it comes together with the last bytes, for it asks to be told of changes alone,
/// and would wait until the deadline. Once reading is ended here as well, which takes nothing from what has come, the
/// system tells it again: it reads the end, in its own time, and closes what was not a whole request.
final class HangUpWatch: Sendable {
    /// An epoll set; -1 if the system had none left, and then deadlines have to do.
    private let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches a connection.
    func add(_ connection: ConnectionDeadline) {
        _ = usher_watch_hang_up(descriptor, connection.socket, Self.tag(of: connection))
    }

    /// Watches a connection no more: its socket is about to be closed, and may be read on by another descriptor.
    func remove(_ connection: ConnectionDeadline) {
        usher_unwatch(descriptor, connection.socket)
    }

    /// Ends the reading of all connections whose peers have hung up since the last look.
    func poke(in connections: Register<ConnectionDeadline>) {
        // In place: forty looks a second need no memory of their own.
        var tags = InlineArray<64, UInt64>(repeating: 0)
        while true {
            var places = tags.mutableSpan
            let count = unsafe places.withUnsafeMutableBufferPointer { places in
                Int(unsafe usher_wait_for_hang_ups(descriptor, places.baseAddress, Int32(places.count), 0))
            }
            for index in 0..<max(0, count) {
                let tag = tags[index]
                // Another connection may have the place of one that has just been closed.
                connections.with(Self.identity(in: tag)) { if Self.tag(of: $0) == tag { $0.hangUp() } }
            }
            guard count == tags.count else { return }
        }
    }

    /// The connection's identity, an address of 48 bits, with the number of the connection above.
    private static func tag(of connection: ConnectionDeadline) -> UInt64 {
        UInt64(Register<ConnectionDeadline>.identity(of: connection)) | UInt64(connection.number) << 48
    }

    private static func identity(in tag: UInt64) -> UInt { UInt(tag & 0xFFFF_FFFF_FFFF) }
}
