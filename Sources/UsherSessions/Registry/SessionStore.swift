import Synchronization

/// The sessions in memory: in shards, each behind a lock of its own.
final class SessionStore: Sendable {
    private let shards = (0..<(1 << SessionStore.shardBits)).map { _ in SessionShard() }
    private let awakeLimit: Int
    private let reclaim: MemoryReclaim

    private static let shardBits = 6

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - awakeLimit: Sessions that may be in memory; the least recently used hibernate.
    ///   - reclaim: Gives freed memory back to the system.
    init(awakeLimit: Int, reclaim: MemoryReclaim) {
        self.awakeLimit = awakeLimit
        self.reclaim = reclaim
    }

    /// The number of sessions in memory.
    var count: Int { shards.reduce(0) { $0 + $1.count } }

    /// The session with an id, if it is in memory.
    func find(_ id: SessionID) -> Session? {
        shard(of: id).find(id)
    }

    /// The session in memory with an id, made where there is none.
    func session(_ id: SessionID, _ make: () -> Session) -> Session {
        let shard = shard(of: id)
        return shard.find(id) ?? shard.session(id, make)
    }

    /// Puts a session into memory.
    func insert(_ session: Session) {
        shard(of: session.id).insert(session)
        makeRoom(for: session)
    }

    /// Lets a session go that is over, that hibernates, or of which nothing is known.
    func remove(_ session: Session) {
        guard shard(of: session.id).remove(session) else { return }
        reclaim.note(left: { count })
    }

    /// Makes room for a session that has come into memory: those used longest ago hibernate.
    ///
    /// - Parameter session: The one that has come.
    func makeRoom(for session: Session) {
        guard awakeLimit < .max else { return }
        for _ in 0..<max(0, count - awakeLimit) {
            // Where all are busy, there are for a while more than there should be.
            guard hibernateLeastRecentlyUsed(but: session) else { return }
        }
    }

    /// Gives back the trees of sessions that nobody has used since a time.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func hibernateIdle(since time: Int64) {
        for shard in shards {
            // As many as there are: one that cannot leave now comes to the front again.
            for _ in 0..<shard.count {
                guard let session = shard.takeIdle(since: time) else { break }
                _ = session.retire()
            }
        }
    }

    private func hibernateLeastRecentlyUsed(but session: Session) -> Bool {
        let uses = shards.compactMap { shard in shard.oldestUse.map { (shard: shard, use: $0) } }
        for (shard, _) in uses.sorted(by: { $0.use < $1.use }) {
            if let oldest = shard.takeIdle(since: .max), oldest !== session, oldest.retire() { return true }
        }
        return false
    }

    private func shard(of id: SessionID) -> SessionShard {
        shards[id.leadingBits(Self.shardBits)]
    }
}

/// Sees to it that freed memory goes back to the system: not after each session or watcher, for that costs, but after
/// many.
final class MemoryReclaim: Sendable {
    private let departures = Atomic(0)
    private let reclaim: @Sendable () -> Void

    /// After so many, memory is given back; after fewer, when none is left.
    private static let many = 8_192
    private static let few = 512

    init(_ reclaim: @escaping @Sendable () -> Void) {
        self.reclaim = reclaim
    }

    /// Notes that a session or a watcher has left memory.
    ///
    /// - Parameter left: The number of its kind that are still there.
    func note(left: () -> Int) {
        let count = departures.add(1, ordering: .relaxed).newValue
        if count >= Self.many || count >= Self.few && left() == 0 { settle() }
    }

    /// Gives memory back if more than a few have left since the last time.
    func settle() {
        guard departures.load(ordering: .relaxed) >= Self.few else { return }
        // Whoever sets it back is the one that reclaims.
        guard departures.exchange(0, ordering: .relaxed) >= Self.few else { return }
        reclaim()
    }
}
