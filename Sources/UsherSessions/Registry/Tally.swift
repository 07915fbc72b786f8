import Synchronization
import Usher

/// The coordinators of all sessions, those that have ended included: the server's proof that memory comes back.
final class Tally: Sendable {
    private let created = Atomic(0)
    private let finished = Atomic(0)
    private let leaked = Atomic(0)
    private let inMemory = Atomic(0)

    func add(_ growth: CoordinatorCounts) {
        guard growth != CoordinatorCounts() else { return }
        created.add(growth.created, ordering: .relaxed)
        finished.add(growth.finished, ordering: .relaxed)
        leaked.add(growth.leaked, ordering: .relaxed)
        inMemory.add(growth.live, ordering: .relaxed)
    }

    /// Coordinators that were counted before are in memory again.
    func wake(_ count: Int) {
        inMemory.add(count, ordering: .relaxed)
    }

    /// Coordinators left memory without having ended.
    func hibernate(_ count: Int) {
        inMemory.subtract(count, ordering: .relaxed)
    }

    /// Coordinators of a tree that was dropped before have ended.
    func end(_ count: Int) {
        add(CoordinatorCounts(created: 0, finished: count, leaked: 0))
    }

    var census: CoordinatorCounts {
        CoordinatorCounts(
            created: created.load(ordering: .relaxed), finished: finished.load(ordering: .relaxed),
            leaked: leaked.load(ordering: .relaxed))
    }

    /// Coordinators in memory now.
    var live: Int { inMemory.load(ordering: .relaxed) }
}
