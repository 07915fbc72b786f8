import Synchronization
import UsherJournal

/// The sessions in memory, divided into shards that each have their own lock.
final class SessionStore: Sendable {
    private let shards = (0..<(1 << SessionStore.shardBits)).map { _ in SessionShard() }
    private let awakeLimit: Int
    private let reclaim: MemoryReclaim

    private static let shardBits = 6
    /// The number of sessions that hibernate before other tasks run.
    private static let stretch = 256

    init(awakeLimit: Int, reclaim: MemoryReclaim) {
        self.awakeLimit = awakeLimit
        self.reclaim = reclaim
    }

    var count: Int { shards.reduce(0) { $0 + $1.count } }

    func find(_ id: SessionID) -> Session? {
        shard(of: id).find(id)
    }

    /// Returns the keys of the wanted sessions in memory, in order.
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

    func insert(_ session: Session) {
        shard(of: session.id).insert(session)
        makeRoom(for: session)
    }

    func remove(_ session: Session) {
        guard shard(of: session.id).remove(session) else { return }
        reclaim.note(left: { count })
    }

    /// Hibernates the least recently used sessions if too many sessions are in memory, but never the given session.
    func makeRoom(for session: Session) {
        guard awakeLimit < .max else { return }
        for _ in 0..<max(0, count - awakeLimit) {
            // If all sessions are in use, the limit stays exceeded for now.
            guard hibernateLeastRecentlyUsed(but: session) else { return }
        }
    }

    /// Hibernates sessions that were not used since a time, in milliseconds since 1970.
    ///
    /// Stops if the task is cancelled, and lets other tasks run in between.
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

    /// Hibernates sessions until enough memory is released, without waiting for any session's lock.
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

    /// Hibernates the candidates of one shard after another, and returns the number of bytes released.
    ///
    /// Each shard must release an equal share of the bytes that remain.
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

    @discardableResult
    func remove(_ session: Session) -> Bool {
        // The last reference may be released here, outside of the lock.
        contents.withLock { $0.remove(session) } != nil
    }

    /// Returns the least recently used session for the caller to hibernate, if it was not used since a time, in
    /// milliseconds since 1970.
    ///
    /// The session moves to the end of the queue, as if it had been used.
    func takeIdle(since time: Int64) -> Session? { contents.withLock { $0.takeIdle(since: time) } }

    var oldestUse: Int64? { contents.withLock { $0.oldestUse() } }

    var all: [Session] { contents.withLock { Array($0.sessions.values) } }

    func resting(since time: Int64) -> [Session] { all.filter { $0.lastUse <= time } }

    var olderHalf: [Session] {
        let uses = all.map { (session: $0, use: $0.lastUse) }
        return uses.sorted { $0.use < $1.use }.prefix((uses.count + 1) / 2).map(\.session)
    }

    /// Hibernates sessions, larger ones first, until enough memory is released; returns the number of bytes released.
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
/// The order is updated only when a session reaches the front, so that using a session costs nothing here. The position
/// of a session shows the last use that the queue has seen. A session that reaches the front and was used since then
/// moves to the end. After these moves, the session at the front is the least recently used.
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

    mutating func takeIdle(since time: Int64) -> Session? {
        guard let oldest = settle(), oldest.use <= time else { return nil }
        front += 1
        queue.append(oldest)
        return oldest.session
    }

    mutating func oldestUse() -> Int64? { settle()?.use }

    /// Moves sessions that were used again to the end, and returns the element that is then at the front.
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
    /// Without shrinking, a dictionary keeps its largest capacity forever: 50 MB for a million sessions.
    mutating func removeAndShrink(_ key: Key) {
        self[key] = nil
        guard capacity > 1_024, count < capacity / 8 else { return }
        self = Dictionary(uniqueKeysWithValues: lazy.map { ($0.key, $0.value) })
    }
}
