import Synchronization

/// A shard of the sessions of a journal in memory, with its own lock.
final class MemoryShard: Sendable {
    private struct Contents {
        var sessions: [JournalKey: MemoryRecord] = [:]
        /// The sessions of each subject.
        var subjects: [ExactText: Set<JournalKey>] = [:]
        var ended: EndedSessions
        /// The number of bytes that ended sessions use.
        var residue = 0

        mutating func remove(_ key: JournalKey) -> MemoryRecord? {
            guard let gone = sessions.removeValue(forKey: key) else { return nil }
            residue -= gone.residue
            if let subject = gone.header.access?.subject.map(ExactText.init) {
                subjects[subject]?.remove(key)
                if subjects[subject]?.isEmpty ?? false { subjects[subject] = nil }
            }
            return gone
        }

        mutating func noteBeginning(of key: JournalKey, _ header: SessionHeader) {
            guard let subject = header.access?.subject.map(ExactText.init) else { return }
            subjects[subject, default: []].insert(key)
        }
    }

    /// The effects of a change that concern the whole journal and not only the shard.
    struct Consequences {
        /// The increase in the number of live sessions.
        var growth = 0
        /// The idempotency keys of the sessions that were removed to make room.
        var forgotten: [String] = []
    }

    private let contents: Mutex<Contents>
    private let residueLimit: Int

    init(endedLimit: Int, residueLimit: Int) {
        contents = Mutex(Contents(ended: EndedSessions(limit: endedLimit)))
        self.residueLimit = residueLimit
    }

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
            // Changes the record in place, so that the entries are not copied.
            let growth = try contents.sessions.values[index].apply(change)
            contents.residue += growth.residue
            guard growth.sessions < 0 else { return Consequences() }
            var gone = [contents.ended.add(change.key)].compactMap(\.self).compactMap { contents.remove($0) }
            while contents.residue > residueLimit, contents.ended.count > 1, let oldest = contents.ended.removeOldest()
            {
                if let record = contents.remove(oldest) { gone.append(record) }
            }
            return Consequences(growth: growth.sessions, forgotten: gone.compactMap(\.openingKey))
        }
    }

    /// Returns the times when the `limit` oldest ended sessions ended, if these times are before a given time.
    func ends(before time: Int64, limit: Int) -> [Int64] {
        contents.withLock { contents in
            contents.ended.oldest(limit).compactMap { contents.sessions[$0]?.header.ending?.time }.filter { $0 < time }
        }
    }

    func session(_ key: JournalKey) -> MemoryRecord? {
        contents.withLock { $0.sessions[key] }
    }

    func found(by query: SessionQuery) -> [FoundSession] {
        let candidates = contents.withLock { contents in
            guard let subject = query.subject else {
                return contents.sessions.filter { $0.value.header.ending == nil }
            }
            let keys = contents.subjects[ExactText(subject), default: []]
            return Dictionary(uniqueKeysWithValues: keys.compactMap { key in contents.sessions[key].map { (key, $0) } })
        }
        return query.select(
            from: candidates.lazy.map { FoundSession(Self.listing($0.key, $0.value), touched: $0.value.touched) })
    }

    /// Returns live sessions whose last recorded use is not after a time, the oldest use first.
    func idle(since time: Int64, limit: Int) -> some Sequence<(key: JournalKey, value: MemoryRecord)> {
        let idle = contents.withLock { contents in
            contents.sessions.filter { $0.value.header.ending == nil && $0.value.touched <= time }
        }
        return idle.sorted { $0.value.touched < $1.value.touched }.prefix(max(0, limit))
    }

    /// The sessions with a timer or an effect, even if it is not due yet.
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
    /// The time of the last recorded use; the actual last use may be later.
    private(set) var touched: Int64
    /// The idempotency key with which the session was opened.
    let openingKey: String?
    /// The size in bytes of the response to the session's opening.
    private let openingSize: Int

    /// The number of bytes that the session still uses after its end; 0 before its end.
    var residue: Int {
        guard header.ending != nil else { return 0 }
        let size = Self.tombstoneSize + openingSize + (header.ending?.details.count ?? 0)
        return answers.reduce(size) { $0 + $1.count }
    }

    /// The approximate size of a tombstone in bytes.
    private static let tombstoneSize = 200

    init(_ header: SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?) {
        self.header = header
        self.entries = entries
        touched = header.time
        openingKey = opening?.key
        openingSize = opening?.body.count ?? 0
    }

    /// Applies a change; if the function throws, all rows are unchanged.
    ///
    /// - Returns: The increase in the number of sessions that have not ended, and in the bytes that ended sessions use.
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
        case .complete(let answer): try complete(answer, of: key)
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

    /// Returns the entries after a revision, up to a maximum number.
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
        // The header is assigned last, so that it is moved and not copied.
        self.header = header
    }

    private mutating func erase(_ revision: Int, of key: JournalKey) throws(JournalError) {
        let index = revision - header.history.start
        guard entries.indices.contains(index) else { return }
        if let erased = try RecordUpdate.erased(entry: entries[index], of: key) { entries[index] = erased }
    }

    private mutating func complete(_ answer: KeyedAnswer, of key: JournalKey) throws(JournalError) {
        for index in answers.indices where try answer.replaces(answers[index], of: key) {
            answers[index] = answer.bytes(of: key)
        }
    }
}

/// The newest ended sessions; beyond a limit, the oldest is removed, to limit the memory.
struct EndedSessions {
    private let limit: Int
    /// The sessions in the order of their ends; when the limit is reached, a ring that begins at `oldest`.
    private var keys: [JournalKey] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a session, and returns the session that was removed to make room; nil if there was room.
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

    var count: Int { keys.count }

    /// Returns the sessions that ended first, in the order in which they ended.
    func oldest(_ limit: Int) -> some Sequence<JournalKey> {
        (keys[oldest...] + keys[..<oldest]).prefix(max(0, limit))
    }

    mutating func removeOldest() -> JournalKey? {
        removeAll(1) { _ in true }.first
    }

    /// Removes sessions, oldest first, until a condition is false or a limit is reached.
    mutating func removeAll(_ limit: Int, while isOver: (JournalKey) -> Bool) -> [JournalKey] {
        let ordered = keys[oldest...] + keys[..<oldest]
        let removed = Array(ordered.prefix(max(0, limit)).prefix(while: isOver))
        guard !removed.isEmpty else { return [] }
        keys = Array(ordered.dropFirst(removed.count))
        oldest = 0
        return removed
    }
}
