import Synchronization
import UsherJournal

/// The sessions in memory.
///
/// The sessions are divided into shards, and each shard has its own lock.
final class SessionStore: Sendable {
    private let shards = (0..<(1 << SessionStore.shardBits)).map { _ in SessionShard() }
    private let awakeLimit: Int
    private let reclaim: MemoryReclaim

    private static let shardBits = 6
    /// The number of sessions that hibernate before other tasks run.
    private static let stretch = 256

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - awakeLimit: The largest number of sessions in memory; beyond it, the least recently used sessions hibernate.
    ///   - reclaim: Returns freed memory to the system.
    init(awakeLimit: Int, reclaim: MemoryReclaim) {
        self.awakeLimit = awakeLimit
        self.reclaim = reclaim
    }

    /// The number of sessions in memory.
    var count: Int { shards.reduce(0) { $0 + $1.count } }

    /// Returns the session with an id, if it is in memory.
    func find(_ id: SessionID) -> Session? {
        shard(of: id).find(id)
    }

    /// Returns the keys of sessions in memory, in order.
    ///
    /// - Parameter isWanted: Returns `true` for a session whose key the result should contain.
    func keys(in range: ClosedRange<JournalKey>, limit: Int, where isWanted: (Session) -> Bool) -> [JournalKey] {
        var keys: [JournalKey] = []
        // The shards are in the order of the ids, because the leading bits of an id determine its shard.
        for shard in shards where keys.count < limit {
            keys += shard.all.filter { range.contains($0.id.journalKey) && isWanted($0) }.map(\.id.journalKey).sorted()
        }
        return Array(keys.prefix(limit))
    }

    /// Returns the session with an id, and adds it to memory if it is not there.
    @inline(never)  // If inlined, the function would retain and release `shards`.
    func session(_ id: SessionID, _ make: () -> Session) -> Session {
        let shard = shard(of: id)
        return shard.find(id) ?? shard.session(id, make)
    }

    /// Adds a session to memory.
    func insert(_ session: Session) {
        shard(of: session.id).insert(session)
        makeRoom(for: session)
    }

    /// Removes a session that has ended, hibernates, or is unknown.
    func remove(_ session: Session) {
        guard shard(of: session.id).remove(session) else { return }
        reclaim.note(left: { count })
    }

    /// Hibernates the least recently used sessions if too many sessions are in memory.
    ///
    /// - Parameter session: The session that was added, which must not hibernate.
    func makeRoom(for session: Session) {
        guard awakeLimit < .max else { return }
        for _ in 0..<max(0, count - awakeLimit) {
            // If all sessions are in use, the limit stays exceeded for now.
            guard hibernateLeastRecentlyUsed(but: session) else { return }
        }
    }

    /// Hibernates sessions that were not used since a time.
    ///
    /// Stops if the task is cancelled, and lets other tasks run in between.
    ///
    /// - Parameter time: The time, in milliseconds since 1970.
    func hibernateIdle(since time: Int64) async {
        var taken = 0
        for shard in shards {
            // Tries each session only once; a session that cannot hibernate now returns to the queue.
            for _ in 0..<shard.count {
                guard let session = shard.takeIdle(since: time) else { break }
                _ = session.retire()
                taken += 1
                guard taken.isMultiple(of: Self.stretch) else { continue }
                guard !Task.isCancelled else { return }
                await Task.yield()
            }
        }
    }

    /// Hibernates sessions until enough memory is released.
    ///
    /// Does not wait for any session's lock.
    ///
    /// Sessions at rest hibernate first. If `others` is `true`, the least recently used half of each shard follows.
    /// Within a group, larger sessions go first.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes to release.
    ///   - time: Sessions that were not used since this time, in milliseconds since 1970, are at rest.
    ///   - others: Pass `true` to also hibernate sessions that are not at rest.
    /// - Returns: The number of bytes released.
    func hibernate(bytes: Int, restingSince time: Int64, others: Bool) -> Int {
        var rest = bytes
        var retired = 0
        repeat {
            // Repeats the loop, because some shards may have released less than their share.
            retired = retire(bytes: rest) { $0.resting(since: time) }
            rest -= retired
        } while rest > 0 && retired > 0
        if rest > 0, others { rest -= retire(bytes: rest) { $0.olderHalf } }
        return bytes - rest
    }

    /// Hibernates sessions of one shard after another, until enough memory is released.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes to release. Each shard must release an equal share of the bytes that remain.
    ///   - candidates: Returns the sessions of a shard that may hibernate.
    /// - Returns: The number of bytes released.
    private func retire(bytes: Int, _ candidates: (SessionShard) -> [Session]) -> Int {
        var rest = bytes
        for (index, shard) in shards.enumerated() where rest > 0 {
            rest -= SessionShard.retire(candidates(shard), bytes: max(1, rest / (shards.count - index)))
        }
        return bytes - rest
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

/// A part of the sessions in memory, with its own lock, so that requests rarely wait for each other.
private final class SessionShard: Sendable {
    private let contents = Mutex(ShardContents())

    var count: Int { contents.withLock { $0.sessions.count } }

    func insert(_ session: Session) {
        contents.withLock { $0.add(session) }
    }

    func session(_ id: SessionID, _ make: () -> Session) -> Session {
        contents.withLock { contents in
            if let session = contents.sessions[id] { return session }
            let session = make()
            contents.add(session)
            return session
        }
    }

    func find(_ id: SessionID) -> Session? {
        contents.withLock { $0.sessions[id] }
    }

    /// Removes a session.
    ///
    /// If another object has replaced the session in the shard, does nothing.
    ///
    /// - Returns: `true` if the session was removed.
    @discardableResult
    func remove(_ session: Session) -> Bool {
        // The last reference may be released here, outside of the lock.
        contents.withLock { $0.remove(session) } != nil
    }

    /// Returns the least recently used session, if it was not used since a time.
    ///
    /// The session moves to the end of the queue, as if the session had been used. The caller tries to hibernate the
    /// session.
    ///
    /// - Parameter time: The time, in milliseconds since 1970.
    func takeIdle(since time: Int64) -> Session? { contents.withLock { $0.takeIdle(since: time) } }

    /// The last use of the least recently used session.
    var oldestUse: Int64? { contents.withLock { $0.oldestUse() } }

    /// The sessions, in any order.
    var all: [Session] { contents.withLock { Array($0.sessions.values) } }

    /// The sessions that were not used since a time.
    func resting(since time: Int64) -> [Session] { all.filter { $0.lastUse <= time } }

    /// The least recently used half of the sessions.
    var olderHalf: [Session] {
        let uses = all.map { (session: $0, use: $0.lastUse) }
        return uses.sorted { $0.use < $1.use }.prefix((uses.count + 1) / 2).map(\.session)
    }

    /// Hibernates sessions, larger ones first, until enough memory is released.
    ///
    /// - Returns: The number of bytes released.
    static func retire(_ sessions: [Session], bytes: Int) -> Int {
        let sizes = sessions.compactMap { session in session.size.map { (session: session, size: $0) } }
        var retired = 0
        for (session, size) in sizes.sorted(by: { $0.size > $1.size }) where retired < bytes && session.retire() {
            retired += size
        }
        return retired
    }
}

/// The sessions of a shard, and a queue of them in the order of their last use.
///
/// The order is updated only when a session reaches the front, so that using a session costs nothing here.
///
/// The position of a session shows the last use that the queue has seen. If the session was used since, it moves to the
/// end when it reaches the front. After these moves, the session at the front is the least recently used.
private struct ShardContents {
    private struct Element {
        let session: Session
        let use: Int64
    }

    private(set) var sessions: [SessionID: Session] = [:]
    /// The elements before `front` are no longer in the queue; the sessions of others may have left memory.
    private var queue: [Element] = []
    private var front = 0

    mutating func add(_ session: Session) {
        sessions[session.id] = session
        enqueue(session)
    }

    /// Removes and returns a session, unless another object has replaced it.
    mutating func remove(_ session: Session) -> Session? {
        guard isThere(session) else { return nil }
        sessions.removeAndShrink(session.id)
        compact()
        return session
    }

    /// Returns the least recently used session if it was not used since a time, and moves it to the end.
    mutating func takeIdle(since time: Int64) -> Session? {
        guard let oldest = settle(), oldest.use <= time else { return nil }
        front += 1
        queue.append(oldest)
        return oldest.session
    }

    mutating func oldestUse() -> Int64? { settle()?.use }

    /// Returns the element of the least recently used session, after moving sessions that were used again to the end.
    ///
    /// - Returns: The element of the least recently used session, which is now at the front.
    private mutating func settle() -> Element? {
        // Examines each element once, because a moved session would otherwise be examined again.
        for _ in front..<queue.count {
            let element = queue[front]
            if isThere(element.session) {
                guard element.session.lastUse != element.use else { break }
                enqueue(element.session)
            }
            front += 1
        }
        compact()
        return front < queue.count ? queue[front] : nil
    }

    private mutating func enqueue(_ session: Session) {
        queue.append(Element(session: session, use: session.lastUse))
    }

    private func isThere(_ session: Session) -> Bool { sessions[session.id] === session }

    /// Frees the elements that are no longer needed, when they are the majority.
    private mutating func compact() {
        guard queue.count > 2 * sessions.count + 32 else { return }
        queue = queue[front...].filter { isThere($0.session) }
        front = 0
    }
}

extension Dictionary {
    /// Removes a value, and shrinks the dictionary if less than an eighth of its capacity is used.
    ///
    /// Without shrinking, a dictionary keeps the capacity for the largest number of values that it ever had: 50 MB for
    mutating func removeAndShrink(_ key: Key) {
        self[key] = nil
        guard capacity > 1_024, count < capacity / 8 else { return }
        self = Dictionary(uniqueKeysWithValues: lazy.map { ($0.key, $0.value) })
    }
}
