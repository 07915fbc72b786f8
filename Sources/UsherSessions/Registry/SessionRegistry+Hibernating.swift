import Synchronization
import Usher

extension SessionRegistry {
    /// Gives back the trees of sessions that nobody has used for a while.
    func hibernateIdle() {
        let time = settings.clock.now().milliseconds &- settings.bounds.idleTime.milliseconds
        for shard in shards {
            // As many as there are: one that cannot leave now comes to the front again.
            for _ in 0..<shard.count {
                guard let session = shard.takeIdle(since: time) else { break }
                retire(session)
            }
        }
    }

    /// Makes room for a session that has come into memory: those used longest ago hibernate.
    ///
    /// - Parameter session: The one that has come.
    func makeRoom(for session: Session) {
        guard settings.bounds.awakeLimit < .max else { return }
        for _ in 0..<max(0, awakeCount - settings.bounds.awakeLimit) {
            // Where all are busy, there are for a while more than there should be.
            guard hibernateLeastRecentlyUsed(but: session) else { return }
        }
    }

    private func hibernateLeastRecentlyUsed(but session: Session) -> Bool {
        let uses = shards.compactMap { shard in shard.oldestUse.map { (shard: shard, use: $0) } }
        for (shard, _) in uses.sorted(by: { $0.use < $1.use }) {
            if let oldest = shard.takeIdle(since: .max), oldest !== session, retire(oldest) { return true }
        }
        return false
    }

    /// Takes a session out of memory, unless something is under way; the journal keeps it.
    ///
    /// - Returns: Whether it has left.
    @discardableResult
    private func retire(_ session: Session) -> Bool {
        let (hasLeft, leaks) = session.life.withLock { $0.retire(settings) }
        guard hasLeft else { return false }
        remove(session)
        if !leaks.isEmpty { settings.observe(.leaked(session.id, leaks)) }
        return true
    }
}
