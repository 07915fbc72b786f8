import Synchronization
import UsherJournal
import UsherProcess

/// Work that a lease owns, and that it has no more to do with: one statement for all that is to be forgotten, or given back.
struct LeftWork: Sendable {
    let key: JournalKey
    let pieces: [WorkPiece]
    let lease: Int64
    /// True of work that any server may claim from now on; false of work that is to be forgotten.
    let isGivenBack: Bool
    /// Raised where something is not changed: the lease still owns it, and the next claim has to find it again.
    let doubt: ClaimDoubt

    /// Has the database know; tried once, because a lock that somebody holds must not keep the connection for long.
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

/// The doubt whether the lease owns work of which this living server was not told, because an answer did not come.
///
/// Nobody would ever run such work. So for some time claims also look for all that the lease owns.
final class ClaimDoubt: Sendable {
    private let times = Mutex((end: Int64.min, nextLook: Int64.min))

    /// In nanoseconds, the time within which a statement that had no answer has happened, or never will.
    private static let memory: Int64 = 60_000_000_000
    /// In nanoseconds, the time between two looks for all that the lease owns.
    private static let interval: Int64 = 5_000_000_000

    init() {}

    func raise() { times.withLock { $0 = (MonotonicClock.now + Self.memory, .min) } }

    /// True where a claim has to look for all that the lease owns; not again for some time.
    func mustLook() -> Bool {
        let now = MonotonicClock.now
        return times.withLock { times in
            guard now < times.end, now >= times.nextLook else { return false }
            times.nextLook = now + Self.interval
            return true
        }
    }
}
