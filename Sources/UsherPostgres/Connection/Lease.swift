import Synchronization
import UsherProcess

/// This server's place among those on the journal, as its beat renews it.
final class Lease: Sendable {
    private let node: ServerNode
    /// The end of the lease, and the time of the last answer to a beat, by the `MonotonicClock`.
    private let end: Atomic<Int64>
    private let heard = Atomic(MonotonicClock.now)
    private let next = Atomic(Int64(0))
    private let isDisplaced = Atomic(false)

    /// In nanoseconds, the time between two looks at the database.
    private static let interval: Int64 = 1_000_000_000
    /// In nanoseconds, the time after which a database that has not answered counts as out of reach.
    private static let patience: Int64 = 3_000_000_000

    /// Makes the lease of a server.
    ///
    /// - Parameter start: The time at which it was about to be registered, by the `MonotonicClock`.
    init(_ node: ServerNode, from start: Int64) {
        self.node = node
        end = Atomic(start + ServerNode.lease)
    }

    /// True while no other server can have taken this one's work.
    var holds: Bool { MonotonicClock.now < end.load(ordering: .relaxed) }

    /// True where the database has answered of late, and no other server has taken this one's name.
    var isFresh: Bool {
        MonotonicClock.now < heard.load(ordering: .relaxed) + Self.patience && !isDisplaced.load(ordering: .relaxed)
    }

    /// The time of the next beat, by the `MonotonicClock`.
    var due: Int64 { next.load(ordering: .relaxed) }

    /// True from that time on.
    var isDue: Bool { due <= MonotonicClock.now }

    /// Renews the lease.
    func beat(on link: DatabaseLink) {
        let start = MonotonicClock.now
        next.store(start + Self.interval, ordering: .relaxed)
        do throws(PostgresFailure) {
            let rows = try link.run(ServerNode.beat, node.parameters, by: start, isCommit: true)
            heard.store(MonotonicClock.now, ordering: .relaxed)
            // Another server may have started under the same name: then this one's time is up.
            let isOwn = rows.count > 0 && rows.integer(0, 0) == node.number
            end.store(isOwn ? start + ServerNode.lease : 0, ordering: .relaxed)
            isDisplaced.store(!isOwn, ordering: .relaxed)
        } catch {
            // The lease runs out by itself.
        }
    }

    /// Gives the lease back: others can claim this server's work at once.
    func end(on link: DatabaseLink) {
        next.store(.max, ordering: .relaxed)
        end.store(0, ordering: .relaxed)
        var parameters = Parameters()
        parameters.integer(node.number)
        _ = try? link.run(ServerNode.deregister, parameters, by: MonotonicClock.now, isCommit: true)
    }
}
