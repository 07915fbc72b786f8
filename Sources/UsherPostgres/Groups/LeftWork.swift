import Synchronization
import UsherJournal
import UsherProcess

/// Work that a lease owns and no longer needs; one statement deletes or releases all of it.
struct LeftWork: Sendable {
    let key: JournalKey
    let pieces: [WorkPiece]
    let lease: Int64
    /// A Boolean value that indicates whether other servers may claim the work, instead of the work being deleted.
    let isGivenBack: Bool
    /// Raised if a row was not changed: the lease then still owns the work, and the next claim must find it again.
    let doubt: ClaimDoubt

    /// Writes the changes in one attempt, because a lock must not block the connection for long.
    static func leave(_ all: [LeftWork], on link: DatabaseLink) {
        for (statement, isGivenBack) in [(PeerStatements.release, false), (PeerStatements.relinquish, true)] {
            let rows = all.filter { $0.isGivenBack == isGivenBack }.flatMap { left in
                left.pieces.map { (key: left.key, piece: $0, lease: left.lease) }
            }
            guard !rows.isEmpty else { continue }
            var parameters = Parameters()
            parameters.keys(rows.map(\.key))
            parameters.integers(rows.map(\.piece.revision))
            parameters.integers(rows.map(\.piece.place))
            parameters.integers(rows.map { Int64?($0.lease) })
            let left = try? link.run(statement, parameters, by: MonotonicClock.now)
            if left?.count != 0 { all.first?.doubt.raise() }
        }
    }
}

/// The suspicion that the lease owns work that this server does not know of, because a response was lost.
///
/// Such work would never run. Claims therefore also look for all of the lease's work for some time.
final class ClaimDoubt: Sendable {
    private let times = Mutex((end: Int64.min, nextLook: Int64.min))

    /// The time in nanoseconds after which a statement without a response has either taken effect or never will.
    private static let memory: Int64 = 60_000_000_000
    /// The time in nanoseconds between two searches for all of the lease's work.
    private static let interval: Int64 = 5_000_000_000

    init() {}

    func raise() { times.withLock { $0 = (MonotonicClock.now + Self.memory, .min) } }

    /// Returns `true` if a claim must look for all of the lease's work, and then `false` for some time.
    func mustLook() -> Bool {
        let now = MonotonicClock.now
        return times.withLock { times in
            guard now < times.end, now >= times.nextLook else { return false }
            times.nextLook = now + Self.interval
            return true
        }
    }
}
