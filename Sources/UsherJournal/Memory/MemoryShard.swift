import Synchronization

/// One part of the sessions of a journal in memory, behind a lock of its own.
final class MemoryShard: Sendable {
    private struct Contents {
        var sessions: [JournalKey: MemoryRecord] = [:]
        /// The live sessions of each subject.
        var subjects: [ExactText: Set<JournalKey>] = [:]
        var ended: EndedSessions
        /// The bytes that the ended sessions take.
        var residue = 0

        mutating func remove(_ key: JournalKey) -> MemoryRecord? {
            guard let gone = sessions.removeValue(forKey: key) else { return nil }
            residue -= gone.residue
            return gone
        }

        /// Notes that a session has begun, where it has a subject.
        mutating func noteBeginning(of key: JournalKey, _ header: SessionHeader) {
            guard let subject = header.access?.subject.map(ExactText.init) else { return }
            subjects[subject, default: []].insert(key)
        }

        /// Notes that a session has ended.
        mutating func noteEnd(of key: JournalKey) {
            guard let subject = sessions[key]?.header.access?.subject.map(ExactText.init) else { return }
            subjects[subject]?.remove(key)
            if subjects[subject]?.isEmpty ?? false { subjects[subject] = nil }
        }
    }

    /// The consequences that a change has for the journal around the shard.
    struct Consequences {
        /// By how much the number of live sessions has grown.
        var growth = 0
        /// The idempotency keys of the sessions that had to make room.
        var forgotten: [String] = []
    }

    private let contents: Mutex<Contents>
    private let residueLimit: Int

    init(endedLimit: Int, residueLimit: Int) {
        contents = Mutex(Contents(ended: EndedSessions(limit: endedLimit)))
        self.residueLimit = residueLimit
    }

    /// The bytes that ended sessions take.
    var residue: Int { contents.withLock { $0.residue } }

    func apply(_ change: JournalChange) throws(JournalError) -> Consequences {
        try contents.withLock { contents throws(JournalError) in
            guard let index = contents.sessions.index(forKey: change.key) else {
                let update = try change.update(upon: .missing)
                if case .begin(let header, let entries, let opening) = update {
                    contents.sessions[change.key] = MemoryRecord(header, entries: entries, opening: opening)
                    contents.noteBeginning(of: change.key, header)
                }
                return Consequences(growth: update.growth)
            }
            // In its place, so that its entries are not copied to grow; nor is it copied to look at its size.
            let growth = try contents.sessions.values[index].apply(change)
            contents.residue += growth.residue
            guard growth.sessions < 0 else { return Consequences() }
            contents.noteEnd(of: change.key)
            var gone = [contents.ended.add(change.key)].compactMap(\.self).compactMap { contents.remove($0) }
            while contents.residue > residueLimit, contents.ended.count > 1, let oldest = contents.ended.removeOldest()
            {
                if let record = contents.remove(oldest) { gone.append(record) }
            }
            return Consequences(growth: growth.sessions, forgotten: gone.compactMap(\.openingKey))
        }
    }

    /// The times of the sessions' ends before a time, the first at most so many.
    func ends(before time: Int64, limit: Int) -> [Int64] {
        contents.withLock { contents in
            contents.ended.oldest(limit).compactMap { contents.sessions[$0]?.header.ending?.time }.filter { $0 < time }
        }
    }

    func session(_ key: JournalKey) -> MemoryRecord? {
        contents.withLock { $0.sessions[key] }
    }

    func sessions(after key: JournalKey?, limit: Int) -> [SessionListing] {
        let following = contents.withLock { contents in
            contents.sessions.filter { other, stored in stored.header.ending == nil && key.map { other > $0 } ?? true }
        }
        return following.sorted { $0.key < $1.key }.prefix(limit).map(Self.listing)
    }

    func sessions(of subject: String, after key: JournalKey?, limit: Int) -> [SessionListing] {
        let subject = ExactText(subject)
        let following = contents.withLock { contents in
            let keys = contents.subjects[subject, default: []].filter { other in key.map { other > $0 } ?? true }
            return keys.sorted().prefix(limit).compactMap { key in contents.sessions[key].map { (key, $0) } }
        }
        return following.map(Self.listing)
    }

    /// Those that a question is for, in its order.
    func found(by query: SessionQuery) -> [FoundSession] {
        let living = contents.withLock { $0.sessions.filter { $0.value.header.ending == nil } }
        return query.select(
            from: living.lazy.map { FoundSession(Self.listing($0.key, $0.value), touched: $0.value.touched) })
    }

    /// Those that were touched longest ago, in that order.
    func idle(since time: Int64, limit: Int) -> some Sequence<(key: JournalKey, value: MemoryRecord)> {
        let idle = contents.withLock { contents in
            contents.sessions.filter { $0.value.header.ending == nil && $0.value.touched <= time }
        }
        return idle.sorted { $0.value.touched < $1.value.touched }.prefix(max(0, limit))
    }

    /// Those that have something to do, at whatever time.
    var due: [DueSession] {
        contents.withLock { contents in contents.sessions.compactMap { DueSession($0.value.header, $0.key) } }
    }

    func purge(endedBefore time: Int64, limit: Int) -> [(JournalKey, MemoryRecord)] {
        contents.withLock { contents in
            contents.ended.removeAll(limit) { contents.sessions[$0]?.header.ending.map { $0.time < time } ?? true }
                .compactMap { key in contents.remove(key).map { (key, $0) } }
        }
    }

    static func listing(_ key: JournalKey, _ stored: MemoryRecord) -> SessionListing {
        SessionListing(key: key, head: stored.header)
    }
}

/// The rows of one session in memory.
struct MemoryRecord {
    private(set) var header: SessionHeader
    private var entries: [[UInt8]]
    private var answers: [[UInt8]] = []
    /// The time at which it was last known to be in use; it may have been later.
    private(set) var touched: Int64
    /// The idempotency key that it was opened under.
    let openingKey: String?
    /// The bytes of the answer under that key.
    private let openingSize: Int

    /// The bytes that it has left, if it has ended.
    var residue: Int {
        guard header.ending != nil else { return 0 }
        let size = Self.tombstoneSize + openingSize + (header.ending?.details.count ?? 0)
        return answers.reduce(size) { $0 + $1.count }
    }

    /// About the bytes of a tombstone.
    private static let tombstoneSize = 200

    init(_ header: SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?) {
        self.header = header
        self.entries = entries
        touched = header.time
        openingKey = opening?.key
        openingSize = opening?.body.count ?? 0
    }

    /// Makes a change; after an error all rows are as they were.
    ///
    /// - Returns: By how much the number of sessions that have not ended grows, and the bytes that ended ones have left.
    mutating func apply(_ change: JournalChange) throws(JournalError) -> (sessions: Int, residue: Int) {
        let before = residue
        let growth = try write(change)
        return (growth, residue - before)
    }

    private mutating func write(_ change: JournalChange) throws(JournalError) -> Int {
        let key = change.key
        switch try change.update(upon: RecordPosition(header)) {
        case .advance(let header, let entry, let answer):
            if let entry { entries.append(entry) }
            store(header, answer, of: key)
        case .extend(let header, let added, let answer):
            entries += added
            store(header, answer, of: key)
        case .restart(let header, let entry, let answer):
            entries = [entry]
            store(header, answer, of: key)
        case .end(let header, let answer, let time):
            guard time.map({ touched <= $0 }) ?? true else { throw .conflict }
            entries = []
            store(header, answer, of: key)
            return -1
        case .complete(let answer): try rewriteAnswers(.complete(answer), of: key)
        case .erase(let revision): try erase(revision, of: key)
        case .touch(let time): touched = max(touched, time)
        case .begin, .replace, .nothing: break
        }
        return 0
    }

    var outline: RecordOutline { RecordOutline(head: header, answers: answers) }

    func record(of key: JournalKey) throws(JournalError) -> SessionRecord {
        try SessionRecord(outline, entries: entries, of: key)
    }

    /// At most so many entries that follow on a revision.
    func entries(after revision: Int, limit: Int) -> [[UInt8]] {
        Array(entries.dropFirst(max(0, revision - header.history.start + 1)).prefix(limit))
    }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        do throws(EntryError) {
            return try answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) }
                .last { $0.key == idempotencyKey }
        } catch {
            throw .corrupt(error)
        }
    }

    @inline(__always)
    private mutating func store(_ header: SessionHeader, _ answer: KeyedAnswer?, of key: JournalKey) {
        if let answer {
            answers.append(answer.bytes(of: key))
            if header.outdatedAnswer != nil { answers.removeFirst() }
        }
        // At last, so that it is moved here and not copied.
        self.header = header
    }

    private mutating func erase(_ revision: Int, of key: JournalKey) throws(JournalError) {
        let index = revision - header.history.start
        let erased = entries.indices.contains(index) ? try RecordUpdate.erased(entry: entries[index], of: key) : nil
        try rewriteAnswers(.erase(revision: revision), of: key)
        if let erased { entries[index] = erased }
    }

    private mutating func rewriteAnswers(_ update: RecordUpdate, of key: JournalKey) throws(JournalError) {
        answers = try answers.map { bytes throws(JournalError) in
            try update.rewritten(answer: bytes, of: key) ?? bytes
        }
    }
}

/// The newest sessions that have ended; the oldest makes room for the next, so that they cost a bounded amount of memory.
struct EndedSessions {
    private let limit: Int
    /// In the order of their ends, as a ring once it is full.
    private var keys: [JournalKey] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a session.
    ///
    /// - Returns: The one that had to make room.
    mutating func add(_ key: JournalKey) -> JournalKey? {
        guard keys.count == limit else {
            keys.append(key)
            return nil
        }
        defer { oldest = (oldest + 1) % limit }
        let gone = keys[oldest]
        keys[oldest] = key
        return gone
    }

    /// The number of sessions.
    var count: Int { keys.count }

    /// The oldest sessions, in the order of their ends.
    func oldest(_ limit: Int) -> some Sequence<JournalKey> {
        (keys[oldest...] + keys[..<oldest]).prefix(max(0, limit))
    }

    /// Removes the oldest session.
    mutating func removeOldest() -> JournalKey? {
        removeAll(1) { _ in true }.first
    }

    /// Removes those for which a condition holds, from the oldest on, up to a number or the first for which it does not.
    mutating func removeAll(_ limit: Int, while isOver: (JournalKey) -> Bool) -> [JournalKey] {
        let ordered = keys[oldest...] + keys[..<oldest]
        let removed = Array(ordered.prefix(max(0, limit)).prefix(while: isOver))
        guard !removed.isEmpty else { return [] }
        keys = Array(ordered.dropFirst(removed.count))
        oldest = 0
        return removed
    }
}
