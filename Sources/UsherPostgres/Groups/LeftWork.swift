import Synchronization
import UsherJournal
import UsherProcess

/// Work that a lease owns and no longer needs; one statement deletes or releases all of it.
struct LeftWork: Sendable {
    let key: JournalKey
    let pieces: [WorkPiece]
    let lease: Int64
    /// `true` if other servers may claim the work; `false` if the work is deleted.
    let isGivenBack: Bool
    /// Set if a row was not changed: the lease then still owns the work, and the next claim must find it again.
    let doubt: ClaimDoubt

    /// Makes the changes in a single attempt, because the connection must not wait long for a lock.
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
/// Such work would never run. For some time, claims therefore also search for all work of the lease.
final class ClaimDoubt: Sendable {
    private let times = Mutex((end: Int64.min, nextLook: Int64.min))

    /// The time in nanoseconds after which a statement without a response has either taken effect, or never will.
    private static let memory: Int64 = 60_000_000_000
    /// The time in nanoseconds between two searches for all of the lease's work.
    private static let interval: Int64 = 5_000_000_000

    func raise() { times.withLock { $0 = (MonotonicClock.now + Self.memory, .min) } }

    /// Returns `true` if a claim must search for all work of the lease; for some time afterwards, returns `false`.
    func mustLook() -> Bool {
        let now = MonotonicClock.now
        return times.withLock { times in
            guard now < times.end, now >= times.nextLook else { return false }
            times.nextLook = now + Self.interval
            return true
        }
    }
}
