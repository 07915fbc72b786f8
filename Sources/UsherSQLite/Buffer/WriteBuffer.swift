import UsherJournal

/// The size of the write buffer.
struct WriteBufferLimits: Sendable {
    /// Entries of a full segment; there are two segments.
    var entries = 32_768
    /// Bytes of the entries of a full segment.
    var bytes = 8 << 20
    /// Bytes of the largest entry that is buffered: larger ones would be written twice.
    var entryBytes = 4_096
}

/// The write buffer of a journal, as it is in memory; it is as transactional as its table.
///
/// An entry counts while its revision is greater than that of its session's header in `rows`: whatever becomes of a
/// session, nothing has to be looked for in the table. Entries come into the active segment. When that is full it is
/// sealed, and some of it is flushed with each commit: a session's entries become rows of `rows`, and its header is
/// brought up to date. Once all of it is flushed, its rows are deleted.
struct WriteBuffer {
    /// One step within a transaction.
    private enum Step {
        /// A session got its first entry that counts; with the segment that had entries of it which count no more.
        case begun(flushedIn: Int?)
        /// A session got another entry; with the time of the one before, and the segment of that.
        case grown(entryAt: Int64, in: Int)
        /// A session's entries are in `rows`; with what it had.
        case flushed(BufferedSession)
        /// A session's entries were put into the table once more; with their number and size.
        case carried(Int, bytes: Int)
    }

    let limits: WriteBufferLimits
    /// All sessions that have entries in the table, whether these count or not.
    private(set) var sessions: [JournalKey: BufferedSession] = [:]
    private(set) var active = Segment(number: 0, from: 1)
    private(set) var sealed: Segment?

    /// The entries that go into the table with this transaction, in one row.
    private var group = EntryGroup()
    /// The number of entries of this transaction that are in the table.
    private var written = 0
    /// The number of sessions that were found to be damaged.
    private var damaged = 0
    /// The steps of this transaction, to be taken back with it; and the sealed segment's progress before.
    private var steps: [(key: JournalKey, step: Step)] = []
    private var progress = (sessions: 0, rows: 0)

    init(_ limits: WriteBufferLimits) {
        self.limits = limits
    }

    /// True while the table has no rows.
    var isEmpty: Bool { active.rows.isEmpty && sealed == nil }

    /// The header of a session that has entries which are not in `rows`.
    func header(of key: JournalKey) -> SessionHeader? { sessions[key]?.header }

    /// True where a session's rows in `rows` are damaged, as far as was noticed.
    func isDamaged(_ key: JournalKey) -> Bool { damaged > 0 && sessions[key]?.isDamaged ?? false }

    /// The entries that are flushed along with this transaction: three times as many as it has brought, or as its bytes
    /// have in a full segment, so that the sealed one has gone before the active one is full.
    var flushShare: Int { 3 * max(group.count, group.entries.count * limits.entries / max(1, limits.bytes)) }

    /// The number of steps that this transaction has made.
    var stepCount: Int { steps.count }

    /// Takes in an entry, puts it into the group, and changes nothing else of its session but the header.
    ///
    /// - Parameter stored: The header in `rows` on which the new one follows; nil where it follows on an entry that is here.
    /// - Returns: false where it must be written in another way.
    mutating func append(
        _ entry: [UInt8], _ header: SessionHeader, upon stored: SessionHeader? = nil, of key: JournalKey
    ) -> Bool {
        let session = sessions[key]
        guard entry.count <= limits.entryBytes, session?.isDamaged != true, let base = session?.header ?? stored,
            base.isFollowed(by: header, with: entry)
        else { return false }
        group.append(entry, of: key)
        add(entry, header, to: session, of: key)
        return true
    }

    /// Takes the group as a row of the table.
    ///
    /// - Returns: nil where it is empty.
    mutating func takeGroup() -> (position: Int64, sessions: [UInt8], entries: [UInt8])? {
        guard group.count > 0 else { return nil }
        written += group.count
        let (sessions, entries) = group.take()
        return (active.end, sessions, entries)
    }

    /// Notes that no entry of a session in the table counts any more.
    mutating func noteFlushed(_ key: JournalKey) {
        guard let session = sessions[key], !session.entries.isEmpty else { return }
        steps.append((key, .flushed(session)))
        sessions[key] = BufferedSession(flushedIn: session.segment)
    }

    /// Notes that a session cannot be flushed; that outlives the transaction in which it was tried.
    mutating func noteDamaged(_ key: JournalKey) {
        sessions[key]?.isDamaged = true
        damaged += 1
    }

    /// Notes that a session has ended: what the table still has of it must leave the disk too.
    mutating func noteEnded(_ key: JournalKey) {
        guard sessions[key] != nil else { return }
        active.hasResidue = true
        sealed?.hasResidue = true
    }

    /// Takes in an entry that follows on what there is of its session.
    private mutating func add(
        _ entry: [UInt8], _ header: SessionHeader, to session: BufferedSession?, of key: JournalKey
    ) {
        active.add(1, bytes: entry.count)
        if let session, let before = session.header?.time {
            steps.append((key, .grown(entryAt: before, in: session.segment)))
            // It is forgotten with the segment of its newest entry.
            if session.segment != active.number { active.add(key) }
            session.append(entry, header, in: active.number)
        } else {
            steps.append((key, .begun(flushedIn: session?.segment)))
            active.add(key)
            let session = session ?? BufferedSession(flushedIn: active.number)
            session.append(entry, header, in: active.number)
            sessions[key] = session
        }
    }
}

// Transactions.
extension WriteBuffer {
    /// Notes that a transaction has begun.
    mutating func begin() {
        progress = sealed?.progress ?? (0, 0)
    }

    /// Notes that the transaction was committed.
    ///
    /// - Returns: True if entries of sessions that have ended left the table with it: residue.
    mutating func commit() -> Bool {
        steps.removeAll(keepingCapacity: true)
        if written > 0 { active.addRow(of: written) }
        written = 0
        let hasResidue = dropDeleted()
        if active.isFull(by: limits) { seal() }
        return hasResidue
    }

    /// Takes back what was done since the transaction began.
    mutating func rollBack() {
        for (key, step) in steps.reversed() { takeBack(step, of: key) }
        steps.removeAll(keepingCapacity: true)
        group.removeAll()
        written = 0
        sealed?.progress = progress
    }

    private mutating func takeBack(_ step: Step, of key: JournalKey) {
        switch step {
        case .begun(let segment):
            active.takeBackSession()
            active.add(-1, bytes: -(sessions[key]?.entries.last?.count ?? 0))
            sessions[key] = segment.map { BufferedSession(flushedIn: $0) }
        case .grown(let time, let segment):
            if segment != active.number { active.takeBackSession() }
            let size = sessions[key]?.takeBack(toEntryAt: time, in: segment) ?? 0
            active.add(-1, bytes: -size)
        case .flushed(let session): sessions[key] = session
        case .carried(let count, let bytes):
            active.takeBackSession()
            active.add(-count, bytes: -bytes)
        }
    }

    /// Forgets the sealed segment once it has left the table, with the sessions that have nothing else there.
    private mutating func dropDeleted() -> Bool {
        guard let sealed, sealed.isDeleted else { return false }
        for key in sealed.sessions {
            guard let session = sessions[key], session.entries.isEmpty, session.segment <= sealed.number else {
                continue
            }
            sessions[key] = nil
        }
        self.sealed = nil
        // Also the room that it has grown to.
        if sessions.isEmpty { sessions = [:] }
        return sealed.hasResidue
    }
}

// Flushing.
extension WriteBuffer {
    /// True where the table has rows that can be made to leave it.
    var hasFlushable: Bool {
        guard damaged > 0 else { return !isEmpty }
        return sessions.values.contains { !$0.entries.isEmpty && !$0.isDamaged }
    }

    /// Seals the active segment, where the one that was sealed before has gone.
    mutating func seal() {
        guard sealed == nil, !active.rows.isEmpty else { return }
        active.sortSessions()
        sealed = active
        active = Segment(number: active.number + 1, from: active.end)
    }

    /// The next session of the sealed segment that has something to flush; it counts as flushed then.
    mutating func nextToFlush() -> JournalKey? {
        while let segment = sealed, !segment.isFlushed {
            let key = segment.sessions[segment.progress.sessions]
            sealed?.progress.sessions += 1
            if let session = sessions[key], !session.entries.isEmpty, !session.isDamaged { return key }
        }
        return nil
    }

    /// Counts rows of the sealed segment, all of which is flushed, as deleted.
    ///
    /// - Parameter entries: About how many entries these rows have.
    /// - Returns: The position before which rows go; nil for none.
    mutating func nextToDelete(entries: Int) -> Int64? {
        guard let segment = sealed else { return nil }
        if segment.progress.rows == 0 { carryDamaged(from: segment) }
        let count = segment.rowsToDelete(entries: entries)
        guard count > 0 else { return nil }
        sealed?.progress.rows += count
        return segment.position + Int64(segment.progress.rows + count)
    }

    /// Puts the entries of sessions that could not be flushed into the group, so that the sealed segment can go.
    private mutating func carryDamaged(from segment: Segment) {
        guard damaged > 0 else { return }
        // One that was flushed and came again would be there twice.
        for key in Set(segment.sessions) {
            guard let session = sessions[key], session.isDamaged else { continue }
            for entry in session.entries { group.append(entry, of: key) }
            let bytes = session.entries.reduce(0) { $0 + $1.count }
            active.add(key)
            active.add(session.entries.count, bytes: bytes)
            sessions[key]?.segment = active.number
            steps.append((key, .carried(session.entries.count, bytes: bytes)))
        }
    }
}

// Loading.
extension WriteBuffer {
    /// Begins to load a table whose first row is at a position.
    mutating func beginLoading(at position: Int64) { active = Segment(number: 0, from: position) }

    /// Takes in an entry that is in the table, if it counts.
    ///
    /// One that is damaged takes the place of the next, so that its session is found to be damaged when it is read.
    ///
    /// - Parameter stored: The header in `rows`, which counts as missing once the session has ended.
    mutating func load(_ entry: [UInt8], of key: JournalKey, upon stored: StoredHeader) {
        let base: SessionHeader
        switch (header(of: key), stored) {
        case (_, .damaged): return loadDamaged(entry, of: key)
        case (let header?, _), (nil, .intact(let header)): base = header
        case (nil, .missing): return note(key)
        }
        let read = try? Entry(entry, of: key)
        guard read.map({ $0.revision > base.revision }) ?? true else { return note(key) }
        let header = base.followed(byEntryAt: read?.time ?? base.time, size: entry.count)
        add(entry, header, to: sessions[key], of: key)
    }

    /// Notes a row of the table that was loaded.
    mutating func loadRow(of entries: Int) {
        active.addRow(of: entries)
    }

    /// Ends the loading.
    mutating func endLoading() {
        steps.removeAll()
        // Nobody knows which of the sessions have ended since.
        active.hasResidue = !active.rows.isEmpty
        if active.isFull(by: limits) { seal() }
    }

    /// Takes in an entry of a session whose header cannot be read.
    private mutating func loadDamaged(_ entry: [UInt8], of key: JournalKey) {
        note(key)
        if !isDamaged(key) { damaged += 1 }
        active.add(1, bytes: entry.count)
        sessions[key]?.appendDamaged(entry)
    }

    /// Notes a session of which entries are in the table that do not count.
    private mutating func note(_ key: JournalKey) {
        guard sessions[key] == nil else { return }
        sessions[key] = BufferedSession(flushedIn: active.number)
        active.add(key)
    }
}
