import Synchronization
import UsherProcess

/// This server's lease on the journal, which its heartbeat renews.
///
/// A lease expires if the server was frozen or the database was unreachable. The next lease has another number. The
/// server must then claim work again, because other servers may own the work of the expired lease. The same happens if
/// another process has registered under the same name and has ended.
final class Lease: Sendable {
    private struct Term {
        /// The number under which work is owned.
        var number: Int64
        /// The number of the next lease, which changes only when a response shows that this lease has started.
        var next = ServerNode.newNumber()
        /// The end of the lease, by the `UptimeClock`.
        var end: Int64
        /// The end of the lease of another process under this server's name, by the database's clock; nil if there is
        /// no such process.
        var other: Int64?
        /// A Boolean value that indicates whether the other process under this server's name has renewed its lease.
        var isDisplaced = false
    }

    let time: DatabaseTime
    private let node: ServerNode
    private let term: Mutex<Term>
    /// The time of the last response to a heartbeat, by the `UptimeClock`.
    private let heard = Atomic(UptimeClock.milliseconds)
    private let next = Atomic(Int64(0))

    // The lease is measured by the uptime, which includes the time that the machine sleeps, because during that time
    // other servers may claim the work.
    /// The time in milliseconds for which this server uses a lease.
    ///
    /// In the database, the lease lasts longer, so that no other server claims work while this server uses the lease.
    private static let duration: Int64 = 10_000
    /// The time in milliseconds without a response after which the database counts as unreachable.
    private static let patience: Int64 = 3_000
    /// The time between two heartbeats in nanoseconds.
    private static let interval: Int64 = 1_000_000_000

    /// Creates a server's first lease from the `UptimeClock` time before the registration.
    init(_ node: ServerNode, from start: Int64, _ time: DatabaseTime) {
        self.node = node
        self.time = time
        term = Mutex(Term(number: node.number, end: start + Self.duration))
    }

    /// The number under which work is owned, even after the lease has expired.
    var number: Int64 { term.withLock(\.number) }

    /// A Boolean value that indicates whether the lease is valid, so that no other server can have claimed this
    /// server's work.
    var holds: Bool { term.withLock { $0.other == nil && UptimeClock.milliseconds < $0.end } }

    /// A Boolean value that indicates whether another server runs under this server's name.
    var isDisplaced: Bool { term.withLock(\.isDisplaced) }

    /// A Boolean value that indicates whether the database has responded recently and no other server runs under this
    /// server's name.
    var isFresh: Bool { UptimeClock.milliseconds < heard.load(ordering: .relaxed) + Self.patience && !isDisplaced }

    /// The time of the next heartbeat, by the `MonotonicClock`.
    var due: Int64 { next.load(ordering: .relaxed) }

    func beat(on link: DatabaseLink) {
        let (start, uptime) = (MonotonicClock.now, UptimeClock.milliseconds)
        next.store(start + Self.interval, ordering: .relaxed)
        let term = term.withLock(\.self)
        let parameters = node.parameters(of: term.number) + [.integer(term.next)]
        do throws(PostgresFailure) {
            let rows = try link.run(ServerNode.beat, parameters, by: start)
            let answer = UptimeClock.milliseconds
            if rows.count > 0 {
                note(rows.integer(0, 0), from: uptime)
                time.note(rows.integer(0, 1), askedAt: uptime, answeredAt: answer)
            } else {
                try look(on: link, by: start)
            }
            heard.store(UptimeClock.milliseconds, ordering: .relaxed)
        } catch {
            // Ignores the error, because the lease expires by itself.
        }
    }

    /// Stores the number of the lease in the database, and the `UptimeClock` time from which the lease is valid.
    private func note(_ number: Int64, from start: Int64) {
        term.withLock { term in
            if number == term.next { (term.number, term.next) = (number, ServerNode.newNumber()) }
            term.end = start + Self.duration
            (term.other, term.isDisplaced) = (nil, false)
        }
    }

    /// Checks whether another process under this server's name still renews its lease.
    private func look(on link: DatabaseLink, by deadline: Int64) throws(PostgresFailure) {
        let rows = try link.run(ServerNode.namesake, [.text(node.name)], by: deadline)
        guard rows.count > 0 else { return }
        let end = rows.integer(0, 0)
        term.withLock { term in
            if let other = term.other, other != end { term.isDisplaced = true }
            term.other = end
        }
    }

    /// Ends the lease, so that other servers can claim this server's work immediately.
    func end(on link: DatabaseLink) {
        next.store(.max, ordering: .relaxed)
        let number = term.withLock { term in
            term.end = .min
            return term.number
        }
        _ = try? link.run(ServerNode.deregister, [.integer(number)], by: MonotonicClock.now)
    }
}
