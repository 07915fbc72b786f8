internal import Synchronization
internal import UsherProcess

/// The thread that ends connections whose clients are late, and the waiting for those that are gone.
///
/// libmicrohttpd's own time-out counts from the last byte, so that one byte now and then holds a connection for ever.
final class DeadlineSweeper: Sendable {
    private let connections: OpenConnections
    private let suspended: SuspendedExchanges
    private let interval: Int64
    private let isStopped = Atomic(false)

    /// Looks often enough that the shortest deadline is kept within an eighth, but at most every 10 ms.
    init(_ connections: OpenConnections, _ suspended: SuspendedExchanges, shortest: Int64) {
        self.connections = connections
        self.suspended = suspended
        interval = min(max(shortest / 8, 10_000_000), 1_000_000_000)
    }

    /// - Returns: whether there is a thread for it.
    func start() -> Bool {
        SystemThread.start {
            while !self.isStopped.load(ordering: .relaxed) {
                SystemThread.pause(nanoseconds: self.interval)
                self.connections.shutDownLate(at: MonotonicClock.now)
                self.suspended.cancelAbandoned()
            }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }
}
