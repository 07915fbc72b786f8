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

    /// Watches a connection until its socket is closed.
    func add(_ connection: ConnectionDeadline) {
        _ = usher_watch_hang_up(
            descriptor, connection.socket, UInt64(Register<ConnectionDeadline>.identity(of: connection)))
    }

    /// Ends the reading of all connections whose peers have hung up since the last look.
    func poke(in connections: Register<ConnectionDeadline>) {
        var tags = [UInt64](repeating: 0, count: Self.batch)
        while true {
            let count = Int(unsafe usher_wait_for_hang_ups(descriptor, &tags, Int32(Self.batch), 0))
            for tag in tags.prefix(max(0, count)) { connections.with(UInt(tag)) { $0.hangUp() } }
            guard count == Self.batch else { return }
        }
    }

    private static let batch = 64
}
