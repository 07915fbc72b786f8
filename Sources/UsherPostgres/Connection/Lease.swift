import Synchronization
import UsherProcess

/// This server's place among those on the journal, as its beat renews it.
///
/// A lease that ran out, for the server was frozen or the database away, is followed by one under another number: what
/// the first owned may be others' by now, and is claimed like any. So is one that another start under the same name has
/// taken, once that has gone.
final class Lease: Sendable {
    private struct Term {
        /// The number under which work is owned.
        var number: Int64
        /// The number of the next lease: the same until an answer says that it has begun.
        var next = ServerNode.newNumber()
        /// The end of the lease, by the `MonotonicClock`.
        var end: Int64
        /// The end of another start's lease under this server's name, by the database's clock; nil where the name is this
        /// server's.
        var other: Int64?
        /// True once the other has renewed its lease: it lives.
        var isDisplaced = false
    }

    /// The database's time of day, which each beat compares.
    let time: DatabaseTime
    private let node: ServerNode
    private let term: Mutex<Term>
    /// The time of the last answer to a beat, by the `UptimeClock`.
    private let heard = Atomic(UptimeClock.milliseconds)
    private let next = Atomic(Int64(0))

    // By the uptime, which goes on while the machine sleeps: others may have taken the work by the time that it wakes.
    /// In milliseconds, the time that a beat is good for: shorter than the database keeps it by what the answer to the next
    /// may take, which may begin another lease.
    private static let duration: Int64 = 10_000
    /// In milliseconds, the time after which a database that has not answered counts as out of reach.
    private static let patience: Int64 = 3_000
    /// In nanoseconds, the time between two beats.
    private static let interval: Int64 = 1_000_000_000

    /// Makes the first lease of a server.
    ///
    /// - Parameters:
    ///   - start: The time at which it was about to be registered, by the `UptimeClock`.
    ///   - time: The database's time of day.
    init(_ node: ServerNode, from start: Int64, _ time: DatabaseTime) {
        self.node = node
        self.time = time
        term = Mutex(Term(number: node.number, end: start + Self.duration))
    }

    /// The number under which work is owned, also while the lease has run out.
    var number: Int64 { term.withLock(\.number) }

    /// True while no other server can have taken this one's work.
    var holds: Bool { term.withLock { $0.other == nil && UptimeClock.milliseconds < $0.end } }

    /// True while another server runs under this one's name.
    var isDisplaced: Bool { term.withLock(\.isDisplaced) }

    /// True where the database has answered of late, and no other server has taken this one's name.
    var isFresh: Bool { UptimeClock.milliseconds < heard.load(ordering: .relaxed) + Self.patience && !isDisplaced }

    /// The time of the next beat, by the `MonotonicClock`.
    var due: Int64 { next.load(ordering: .relaxed) }

    /// True from that time on.
    var isDue: Bool { due <= MonotonicClock.now }

    /// Renews the lease, or begins another.
    func beat(on link: DatabaseLink) {
        let (start, uptime) = (MonotonicClock.now, UptimeClock.milliseconds)
        next.store(start + Self.interval, ordering: .relaxed)
        let term = term.withLock(\.self)
        var parameters = node.parameters(of: term.number)
        parameters.integer(term.next)
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
            // The lease runs out by itself.
        }
    }

    /// Notes which lease the database has now, since a time by the `UptimeClock`.
    private func note(_ number: Int64, from start: Int64) {
        term.withLock { term in
            if number == term.next { (term.number, term.next) = (number, ServerNode.newNumber()) }
            term.end = start + Self.duration
            (term.other, term.isDisplaced) = (nil, false)
        }
    }

    /// Looks at the lease of another start under this server's name: one that is not renewed may be of one long gone.
    private func look(on link: DatabaseLink, by deadline: Int64) throws(PostgresFailure) {
        let rows = try link.run(ServerNode.namesake, Parameters(node.name), by: deadline)
        guard rows.count > 0 else { return }
        let end = rows.integer(0, 0)
        term.withLock { term in
            if let other = term.other, other != end { term.isDisplaced = true }
            term.other = end
        }
    }

    /// Gives the lease back: others can claim this server's work at once.
    func end(on link: DatabaseLink) {
        next.store(.max, ordering: .relaxed)
        let number = term.withLock { term in
            term.end = .min
            return term.number
        }
        var parameters = Parameters()
        parameters.integer(number)
        _ = try? link.run(ServerNode.deregister, parameters, by: MonotonicClock.now)
    }
}
