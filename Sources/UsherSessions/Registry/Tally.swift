import Synchronization
import Usher

/// The coordinators of all sessions, those that have ended included: the server's proof that memory comes back.
final class Tally: Sendable {
    private let created = Atomic(0)
    private let finished = Atomic(0)
    private let leaked = Atomic(0)

    func add(_ growth: Census) {
        guard growth != Census() else { return }
        created.add(growth.created, ordering: .relaxed)
        finished.add(growth.finished, ordering: .relaxed)
        leaked.add(growth.leaked, ordering: .relaxed)
    }

    var census: Census {
        Census(
            created: created.load(ordering: .relaxed), finished: finished.load(ordering: .relaxed),
            leaked: leaked.load(ordering: .relaxed))
    }
}
