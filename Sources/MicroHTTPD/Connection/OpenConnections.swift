internal import Synchronization

/// The register of open connections.
///
/// A connection leaves it before its socket is closed, and sockets are touched under its lock: so none is another's.
final class OpenConnections: Sendable {
    private let deadlines = Mutex<[ObjectIdentifier: ConnectionDeadline]>([:])

    var isEmpty: Bool { count == 0 }

    var count: Int { deadlines.withLock { $0.count } }

    func insert(_ deadline: ConnectionDeadline) {
        deadlines.withLock { $0[ObjectIdentifier(deadline)] = deadline }
    }

    func remove(_ deadline: ConnectionDeadline) {
        deadlines.withLock { $0[ObjectIdentifier(deadline)] = nil }
    }

    /// Ends those whose clients are late.
    func shutDownLate(at now: Int64) {
        forEach { if $0.isPast(now) { $0.shutDown() } }
    }

    /// Lets those that wait for a request close.
    func closeIdle() {
        forEach { if $0.isIdle { $0.stopReading() } }
    }

    /// Ends all.
    func shutDownAll() {
        forEach { $0.shutDown() }
    }

    private func forEach(_ body: (ConnectionDeadline) -> Void) {
        deadlines.withLock { for deadline in $0.values { body(deadline) } }
    }
}
