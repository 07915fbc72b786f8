import Synchronization
import UsherJournal

/// The sessions in memory: in shards, each behind a lock of its own.
final class SessionStore: Sendable {
    private let shards = (0..<(1 << SessionStore.shardBits)).map { _ in SessionShard() }
    private let awakeLimit: Int
    private let reclaim: MemoryReclaim

    private static let shardBits = 6
    /// Sessions that hibernate in one go, before other tasks run.
    private static let stretch = 256

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

    /// The keys of sessions in memory, in their order.
    ///
    /// - Parameters:
    ///   - range: The range that the keys must be in.
    ///   - limit: The number of keys at most.
    ///   - isWanted: Decides whether a session is one of those.
    func keys(in range: ClosedRange<JournalKey>, limit: Int, where isWanted: (Session) -> Bool) -> [JournalKey] {
        var keys: [JournalKey] = []
        // A shard has the ids that begin alike, so the shards are in the order of ids.
        for shard in shards where keys.count < limit {
            keys += shard.all.filter { range.contains($0.id.journalKey) && isWanted($0) }.map(\.id.journalKey).sorted()
        }
        return Array(keys.prefix(limit))
    }

    /// The session in memory with an id, made where there is none.
    @inline(never)  // Elsewhere the shards would be counted by reference to find one of them.
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
            // All are busy: for a while there are more than there should be.
            guard hibernateLeastRecentlyUsed(but: session) else { return }
        }
    }

    /// Gives back the trees of sessions that nobody has used since a time, unless the task is cancelled; others run in between.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func hibernateIdle(since time: Int64) async {
        var taken = 0
        for shard in shards {
            // As many as there are: one that cannot leave now comes to the front again.
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

    /// Gives back trees until they make up for so many bytes, waiting for no session's lock: those at rest first, then, if
    /// they may go, others of those used longest ago, and of each the large ones first.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that are needed.
    ///   - time: Who was not used since then is at rest: milliseconds since 1970.
    ///   - others: Pass true if those that are not at rest may go, too.
    /// - Returns: The bytes that they make up for.
    func hibernate(bytes: Int, restingSince time: Int64, others: Bool) -> Int {
        var rest = bytes
        var retired = 0
        repeat {
            // Again where there are more: a shard may have had fewer than its part.
            retired = retire(bytes: rest) { $0.resting(since: time) }
            rest -= retired
        } while rest > 0 && retired > 0
        if rest > 0, others { rest -= retire(bytes: rest) { $0.olderHalf } }
        return bytes - rest
    }

    /// Gives back trees of one shard after another, until they make up for so many bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that are needed, in equal parts of those shards that are still to come.
    ///   - candidates: The sessions of a shard that may go.
    /// - Returns: The bytes that they make up for.
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

/// A part of the sessions in memory, behind a lock of its own, so that requests seldom wait for each other.
private final class SessionShard: Sendable {
    private struct Contents {
        var sessions: [SessionID: Session] = [:]
        var queue = UseQueue()

        mutating func add(_ session: Session) {
            sessions[session.id] = session
            queue.add(session)
        }
    }

    private let contents = Mutex(Contents())

    var count: Int { contents.withLock { $0.sessions.count } }

    func insert(_ session: Session) {
        contents.withLock { $0.add(session) }
    }

    /// The session in memory with an id, made where there is none.
    func session(_ id: SessionID, _ make: () -> Session) -> Session {
        contents.withLock { contents in
            if let session = contents.sessions[id] { return session }
            let session = make()
            contents.add(session)
            return session
        }
    }

    /// The session with an id, if it is in memory.
    func find(_ id: SessionID) -> Session? {
        contents.withLock { $0.sessions[id] }
    }

    /// Lets a session go, unless another has taken its place.
    ///
    /// - Returns: True where it was there.
    @discardableResult
    func remove(_ session: Session) -> Bool {
        let removed = contents.withLock { contents -> Session? in
            guard contents.sessions[session.id] === session else { return nil }
            contents.sessions.removeAndShrink(session.id)
            let sessions = contents.sessions
            contents.queue.noteLeaving { sessions[$0.id] === $0 }
            return session
        }
        // The last reference may go here, outside the lock.
        return removed != nil
    }

    /// The session that has not been used for the longest time, if that is long enough ago.
    ///
    /// It goes to the end of the queue, as if it had been used: whoever asks decides whether it leaves.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func takeIdle(since time: Int64) -> Session? {
        contents.withLock { contents in
            let sessions = contents.sessions
            return contents.queue.takeIdle(since: time) { sessions[$0.id] === $0 }
        }
    }

    /// The sessions, in any order.
    var all: [Session] { contents.withLock { Array($0.sessions.values) } }

    /// The sessions that were not used since a time.
    func resting(since time: Int64) -> [Session] { all.filter { $0.lastUse <= time } }

    /// The half of the sessions that was used longest ago.
    var olderHalf: [Session] {
        let uses = all.map { (session: $0, use: $0.lastUse) }
        return uses.sorted { $0.use < $1.use }.prefix((uses.count + 1) / 2).map(\.session)
    }

    /// Gives back trees, the large ones first, until they make up for so many bytes.
    ///
    /// - Returns: The bytes that they make up for.
    static func retire(_ sessions: [Session], bytes: Int) -> Int {
        let sizes = sessions.compactMap { session in session.size.map { (session: session, size: $0) } }
        var retired = 0
        for (session, size) in sizes.sorted(by: { $0.size > $1.size }) where retired < bytes && session.retire() {
            retired += size
        }
        return retired
    }

    /// The last use of the session that has not been used for the longest time.
    var oldestUse: Int64? {
        contents.withLock { contents in
            let sessions = contents.sessions
            return contents.queue.oldestUse { sessions[$0.id] === $0 }
        }
    }
}

/// Sessions in the order of their last use, brought up to date only when somebody asks: use costs nothing here.
///
/// A session stands where it was used when it was last looked at. One that was used since goes to the end, so the
/// front, once looked at, is the one that has not been used for the longest time.
private struct UseQueue {
    private struct Element {
        let session: Session
        let use: Int64
    }

    private var elements: [Element] = []
    private var front = 0
    /// Sessions that have left memory and still have an element.
    private var left = 0

    mutating func add(_ session: Session) {
        elements.append(Element(session: session, use: session.lastUse))
    }

    /// Notes that a session has left memory, and gives elements back once most belong to such.
    ///
    /// - Parameter isThere: True for a session that is still in memory.
    mutating func noteLeaving(_ isThere: (Session) -> Bool) {
        left += 1
        guard left > 32, left * 2 > elements.count - front else { return }
        elements = elements[front...].filter { isThere($0.session) }
        front = 0
        left = 0
    }

    /// The last use of the session at the front.
    ///
    /// - Parameter isThere: True for a session that is still in memory; others are dropped.
    mutating func oldestUse(_ isThere: (Session) -> Bool) -> Int64? {
        settle(isThere)?.use
    }

    /// Takes the session at the front if it was not used since a time, and puts it at the end.
    mutating func takeIdle(since time: Int64, _ isThere: (Session) -> Bool) -> Session? {
        guard let element = settle(isThere), element.use <= time else { return nil }
        front += 1
        elements.append(element)
        return element.session
    }

    /// Brings the front up to date.
    private mutating func settle(_ isThere: (Session) -> Bool) -> Element? {
        // Each element is looked at once: one whose session was used meanwhile goes behind those that were not.
        for _ in front..<max(front, elements.count) {
            let element = elements[front]
            guard isThere(element.session) else {
                front += 1
                left -= 1
                continue
            }
            guard element.session.lastUse != element.use else { break }
            front += 1
            add(element.session)
        }
        compact()
        return front < elements.count ? elements[front] : nil
    }

    /// Gives back what lies before the front, once that is most of it.
    private mutating func compact() {
        guard front > 32, front * 2 > elements.count else { return }
        elements.removeFirst(front)
        front = 0
    }
}

extension Dictionary {
    /// Removes a value, and gives room back: a dictionary keeps that of all that it ever had, 50 MB of a million sessions, so
    /// this one is made anew once less than an eighth of it is left.
    mutating func removeAndShrink(_ key: Key) {
        self[key] = nil
        guard capacity > 1_024, count < capacity / 8 else { return }
        self = Dictionary(uniqueKeysWithValues: lazy.map { ($0.key, $0.value) })
    }
}
