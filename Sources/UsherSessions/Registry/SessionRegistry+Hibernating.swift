import Synchronization
import Usher

extension SessionRegistry {
    /// Gives back the trees of sessions that nobody has used for a while.
    func hibernateIdle() {
        let time = settings.clock.now().milliseconds &- settings.bounds.idleTime.milliseconds
        for shard in allShards {
            // As many as there are: one that cannot leave now comes to the front again.
            for _ in 0..<shard.count {
                guard let session = shard.takeIdle(since: time) else { break }
                retire(session)
            }
        }
    }

    /// Makes room for a session that has come into memory: those used longest ago hibernate.
    func makeRoom() {
        guard settings.bounds.awakeLimit < .max else { return }
        var attempts = awakeCount
        while awakeCount > settings.bounds.awakeLimit, attempts > 0 {
            attempts -= 1
            let uses = allShards.compactMap { shard in shard.oldestUse.map { (shard: shard, use: $0) } }
            guard let oldest = uses.min(by: { $0.use < $1.use })?.shard.takeIdle(since: .max) else { return }
            retire(oldest)
        }
    }

    /// Takes a session out of memory, unless something is under way; the journal keeps it.
    private func retire(_ session: Session) {
        let (hasLeft, leaks) = session.life.withLock { $0.retire() }
        guard hasLeft else { return }
        remove(session)
        session.keepUse()
        if !leaks.isEmpty { settings.observe(.leaked(session.id, leaks)) }
    }
}
