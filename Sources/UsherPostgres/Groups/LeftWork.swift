import Synchronization
import UsherJournal
import UsherProcess

/// Work that a lease owns and no longer needs; one statement deletes all such work, or gives all of it back.
struct LeftWork: Sendable {
    let key: JournalKey
    let pieces: [WorkPiece]
    let lease: Int64
    /// `true` to let other servers claim the work; `false` to delete the work.
    let isGivenBack: Bool
    /// Raised if the row was not changed: the lease still owns the work, so the next claim must find the work again.
    let doubt: ClaimDoubt

    /// Deletes work or gives work back, in a single attempt: the connection must not wait long for a lock.
    static func leave(_ all: [LeftWork], on link: DatabaseLink) {
        for (statement, isGivenBack) in [(PeerStatements.release, false), (PeerStatements.relinquish, true)] {
            let rows = all.filter { $0.isGivenBack == isGivenBack }.flatMap { left in
                left.pieces.map { (key: left.key, piece: $0, lease: left.lease) }
            }
            guard !rows.isEmpty else { continue }
            let parameters: [Parameter] = [
                .keys(rows.map(\.key)), .integers(rows.map(\.piece.revision)), .integers(rows.map(\.piece.place)),
                .integers(rows.map(\.lease)),
            ]
            let left = try? link.run(statement, parameters, by: MonotonicClock.now)
            if left?.count != 0 { all.first?.doubt.raise() }
        }
    }
}

/// Records that the lease may own work that this server does not know of, because a response was lost.
///
/// No server would run such work. For some time after a lost response, claims therefore also search for all work of the
/// lease.
final class ClaimDoubt: Sendable {
    private let times = Mutex((end: Int64.min, nextLook: Int64.min))

    /// The number of nanoseconds after which a statement without a response either has taken effect or will never take
    /// effect.
    private static let memory: Int64 = 60_000_000_000
    /// The number of nanoseconds between two searches for all of the lease's work.
    private static let interval: Int64 = 5_000_000_000

    func raise() { times.withLock { $0 = (MonotonicClock.now + Self.memory, .min) } }

    /// Returns `true` if a claim must search for all work of the lease, and then `false` for the next seconds.
    func mustLook() -> Bool {
        let now = MonotonicClock.now
        return times.withLock { times in
            guard now < times.end, now >= times.nextLook else { return false }
            times.nextLook = now + Self.interval
            return true
        }
    }
}
