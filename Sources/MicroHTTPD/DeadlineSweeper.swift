private import Glibc
internal import Synchronization
internal import UsherProcess

/// The thread that ends connections whose clients are late, and cancels the handlers of those that are gone.
///
/// libmicrohttpd's own time-out counts from the last byte, so that one byte now and then holds a connection for ever.
final class DeadlineSweeper: Sendable {
    private let connections: Register<ConnectionDeadline>
    private let suspended: Register<SuspendedExchange>
    private let interval: Int64
    private let isStopped = Atomic(false)

    /// Looks often enough that the shortest deadline is met within an eighth, but at most every 10 ms.
    init(_ context: DaemonContext) {
        connections = context.connections
        suspended = context.suspended
        interval = min(max(context.times.shortest / 8, 10_000_000), 1_000_000_000)
    }

    /// - Returns: false if there is no thread for it.
    func start() -> Bool {
        SystemThread.start {
            while !self.isStopped.load(ordering: .relaxed) {
                SystemThread.pause(nanoseconds: self.interval)
                self.connections.shutDownLate(at: CoarseClock.now)
                self.suspended.cancelAbandoned()
            }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }
}

/// The check for sockets whose peers have closed their connections.
///
/// One that only says that it sends no more looks the same; a client that still waits for an answer leaves that open.
enum HungUpSockets {
    /// The positions of the sockets whose peers are gone.
    static func indices(of sockets: [Int32]) -> [Int] {
        guard !sockets.isEmpty else { return [] }
        var polls = sockets.map { pollfd(fd: $0, events: hangUp, revents: 0) }
        guard unsafe poll(&polls, nfds_t(polls.count), 0) > 0 else { return [] }
        return polls.indices.filter { polls[$0].revents & (hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
    }

    // POLLRDHUP, which is Linux's own.
    private static let hangUp: Int16 = 0x2000
}
