import Synchronization

/// Who watches which session.
///
/// Apart from the sessions: one that is watched may leave memory.
final class Watches: Sendable {
    private let total = Atomic(0)
    private let watchers = Mutex<[SessionID: [any SessionWatcher]]>([:])
    private let limits: (session: Int, all: Int)

    init(perSession: Int, all: Int) {
        limits = (perSession, all)
    }

    /// How many watch.
    var count: Int { total.load(ordering: .relaxed) }

    func isWatched(_ id: SessionID) -> Bool {
        // Where nobody watches anything it costs nothing.
        count > 0 && watchers.withLock { $0[id] != nil }
    }

    /// Adds a watcher.
    ///
    /// - Returns: Whether there was room.
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

    func show(_ sightings: [Sighting], of id: SessionID) {
        guard !sightings.isEmpty else { return }
        let watchers = watchers.withLock { $0[id] ?? [] }
        for watcher in watchers {
            for sighting in sightings { watcher.see(sighting) }
        }
    }

    func end(_ id: SessionID) {
        guard count > 0 else { return }
        for watcher in watchers.withLock({ $0[id] ?? [] }) { watcher.seeEnd() }
    }
}
