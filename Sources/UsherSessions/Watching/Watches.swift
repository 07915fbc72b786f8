import Synchronization

/// An observer that is shown a session's states as they become durable, in the order of their revisions.
///
/// Both methods are called under the session's lock: they must not wait, and not use the session.
package protocol SessionWatcher: AnyObject, Sendable {
    /// The session has a new state.
    func see(_ snapshot: Snapshot)

    /// The session is over; nothing more comes.
    func seeEnd()
}

/// The watchers of each session.
///
/// Apart from the sessions: one that is watched may leave memory.
final class Watches: Sendable {
    private let total = Atomic(0)
    private let watchers = Mutex<[SessionID: [any SessionWatcher]]>([:])
    private let limits: (session: Int, all: Int)

    init(perSession: Int, all: Int) {
        limits = (perSession, all)
    }

    /// The number of sessions in memory.
    var count: Int { total.load(ordering: .relaxed) }

    func isWatched(_ id: SessionID) -> Bool {
        // It costs nothing where nobody watches anything.
        count > 0 && watchers.withLock { $0[id] != nil }
    }

    /// Adds a watcher.
    ///
    /// - Returns: False where there is no room.
    func add(_ watcher: any SessionWatcher, of id: SessionID) -> Bool {
        watchers.withLock { watchers in
            guard watchers[id, default: []].count < limits.session, count < limits.all else { return false }
            watchers[id, default: []].append(watcher)
            total.add(1, ordering: .relaxed)
            return true
        }
    }

    func remove(_ watcher: any SessionWatcher, of id: SessionID) {
        watchers.withLock { watchers in
            guard let index = watchers[id]?.firstIndex(where: { $0 === watcher }) else { return }
            watchers[id]?.remove(at: index)
            if watchers[id]?.isEmpty ?? false { watchers[id] = nil }
            total.subtract(1, ordering: .relaxed)
        }
    }

    func show(_ snapshots: [Snapshot], of id: SessionID) {
        guard !snapshots.isEmpty else { return }
        let watchers = watchers.withLock { $0[id] ?? [] }
        for watcher in watchers {
            for snapshot in snapshots { watcher.see(snapshot) }
        }
    }

    func end(_ id: SessionID) {
        guard count > 0 else { return }
        for watcher in watchers.withLock({ $0[id] ?? [] }) { watcher.seeEnd() }
    }
}

/// Waits for a session to come beyond a revision, or to end.
final class RevisionWatcher: SessionWatcher {
    private let known: Int
    private let latch = Latch<Void>()

    init(beyond known: Int) {
        self.known = known
    }

    func see(_ snapshot: Snapshot) {
        if snapshot.revision > known { end() }
    }

    func seeEnd() {
        end()
    }

    /// Lets the one go that waits.
    func end() {
        latch.open(with: ())
    }

    func wait() async {
        await latch.wait()
    }
}
