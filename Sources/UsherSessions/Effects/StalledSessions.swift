import Synchronization

/// Sessions with work of which nothing can come in this process: its result could not even be refused.
///
/// They hibernate and expire like others, and no sweep wakes them; whoever uses one begins its work again.
final class StalledSessions: Sendable {
    private let ids = Mutex<Set<SessionID>>([])

    func insert(_ id: SessionID) {
        ids.withLock { _ = $0.insert(id) }
    }

    func contains(_ id: SessionID) -> Bool {
        ids.withLock { $0.contains(id) }
    }

    /// Forgets all others than these: they have ended, or have nothing more to do.
    func formIntersection(_ ids: Set<SessionID>) {
        self.ids.withLock { $0.formIntersection(ids) }
    }
}
