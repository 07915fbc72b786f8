import UsherJournal

struct WriteBufferLimits: Sendable {
    /// The number of entries in a full segment; there are at most two segments.
    var entries = 32_768
    /// The number of bytes of the entries in a full segment.
    var bytes = 8 << 20
    /// The maximum size of a buffered entry in bytes; larger entries are not buffered, because buffering writes twice.
    var entryBytes = 4_096
}

/// The state in memory of a journal's write buffer, whose entries are in the table `recent`.
///
/// An entry in the table is valid if its revision is greater than the revision of the session's header in `rows`. An
/// entry can therefore become invalid without a change of the table. New entries are added to the active segment. A
/// full segment is sealed, and each commit flushes a part of the sealed segment: the journal writes a session's entries
/// to `rows`, and updates the session's header. After the whole segment is flushed, its rows in the table are deleted.
/// A rollback undoes changes of this state and of the table together.
struct WriteBuffer {
    private enum Step {
        /// A session got its first valid entry. The value is the segment of the session's invalid entries.
        case begun(flushedIn: Int?)
        /// A session got another entry. The values are the time and the segment of the previous entry.
        case grown(entryAt: Int64, in: Int)
        /// A session's entries were written to `rows`. The value is the session's previous state.
        case flushed(BufferedSession)
        /// A session's entries were written to the table again. The values are their number and size.
        case carried(Int, bytes: Int)
    }

    let limits: WriteBufferLimits
    /// All sessions with valid or invalid entries in the table.
    private(set) var sessions: [JournalKey: BufferedSession] = [:]
    private(set) var active = Segment(number: 0, from: 1)
    private(set) var sealed: Segment?

    /// The entries that this transaction adds to the table, as one row.
    private var group = EntryGroup()
    /// The number of entries that this transaction adds to the table.
    private var written = 0
    /// The number of sessions that were found to be damaged.
    private var damaged = 0
    /// The steps of this transaction, and the sealed segment's progress before the transaction, for a rollback.
    private var steps: [(key: JournalKey, step: Step)] = []
    private var progress = (sessions: 0, rows: 0)

    init(_ limits: WriteBufferLimits) {
        self.limits = limits
    }

    var isEmpty: Bool { active.rows.isEmpty && sealed == nil }

    /// Returns the header of a session with entries that are not in `rows`.
    func header(of key: JournalKey) -> SessionHeader? { sessions[key]?.header }

    func isDamaged(_ key: JournalKey) -> Bool { damaged > 0 && sessions[key]?.isDamaged ?? false }

    /// The number of entries to flush with this transaction.
    ///
    /// This is three times the number of the transaction's entries. Large entries count more, in proportion to their
    /// bytes. The sealed segment is therefore deleted before the active segment is full.
    var flushShare: Int { 3 * max(group.count, group.entries.count * limits.entries / max(1, limits.bytes)) }

    var stepCount: Int { steps.count }

    /// Adds an entry to the group, and updates its session's header.
    ///
    /// - Parameter stored: The header in `rows` if the entry follows this header; nil if it follows a buffered entry.
    /// - Returns: `false` if the entry cannot be buffered, so that the caller must write it to `rows`.
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

    /// Empties the group and returns it as a row of the table; returns nil if the group was empty.
    mutating func takeGroup() -> (position: Int64, sessions: [UInt8], entries: [UInt8])? {
        guard group.count > 0 else { return nil }
        written += group.count
        let (sessions, entries) = group.take()
        return (active.end, sessions, entries)
    }

    /// Records that a session's entries were flushed, so that all its entries in the table are invalid.
    mutating func noteFlushed(_ key: JournalKey) {
        guard let session = sessions[key], !session.entries.isEmpty else { return }
        steps.append((key, .flushed(session)))
        sessions[key] = BufferedSession(flushedIn: session.segment)
    }

    /// Marks a session as damaged, because its entries cannot be flushed; a rollback does not undo this mark.
    mutating func noteDamaged(_ key: JournalKey) {
        sessions[key]?.isDamaged = true
        damaged += 1
    }

    /// Records that a session has ended, so that its entries in the table must also leave the disk.
    mutating func noteEnded(_ key: JournalKey) {
        guard sessions[key] != nil else { return }
        active.hasResidue = true
        sealed?.hasResidue = true
    }

    private mutating func add(
        _ entry: [UInt8], _ header: SessionHeader, to session: BufferedSession?, of key: JournalKey
    ) {
        active.add(1, bytes: entry.count)
        if let session, let before = session.header?.time {
            steps.append((key, .grown(entryAt: before, in: session.segment)))
            // A session is removed together with the segment of its newest entry.
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
    mutating func begin() {
        progress = sealed?.progress ?? (0, 0)
    }

    /// Commits the transaction; returns `true` if it deleted entries of ended sessions, which may remain in the
    /// write-ahead log.
    mutating func commit() -> Bool {
        steps.removeAll(keepingCapacity: true)
        if written > 0 { active.addRow(of: written) }
        written = 0
        let hasResidue = dropDeleted()
        if active.isFull(by: limits) { seal() }
        return hasResidue
    }

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

    /// If the sealed segment's rows were deleted, removes the segment and the sessions without other entries.
    private mutating func dropDeleted() -> Bool {
        guard let sealed, sealed.isDeleted else { return false }
        for key in sealed.sessions {
            guard let session = sessions[key], session.entries.isEmpty, session.segment <= sealed.number else {
                continue
            }
            sessions[key] = nil
        }
        self.sealed = nil
        // A new dictionary frees the old one's capacity.
        if sessions.isEmpty { sessions = [:] }
        return sealed.hasResidue
    }
}

// Flushing.
extension WriteBuffer {
    var hasFlushable: Bool {
        guard damaged > 0 else { return !isEmpty }
        return sessions.values.contains { !$0.entries.isEmpty && !$0.isDamaged }
    }

    /// Seals the active segment, unless a sealed segment still exists.
    mutating func seal() {
        guard sealed == nil, !active.rows.isEmpty else { return }
        active.sortSessions()
        sealed = active
        active = Segment(number: active.number + 1, from: active.end)
    }

    /// Returns the sealed segment's next session that has entries to flush, and counts this session as flushed.
    mutating func nextToFlush() -> JournalKey? {
        while let segment = sealed, !segment.isFlushed {
            let key = segment.sessions[segment.progress.sessions]
            sealed?.progress.sessions += 1
            if let session = sessions[key], !session.entries.isEmpty, !session.isDamaged { return key }
        }
        return nil
    }

    /// If the whole sealed segment is flushed, counts rows with about `entries` entries as deleted.
    ///
    /// - Returns: The position before which the caller must delete rows; nil if there is nothing to delete.
    mutating func nextToDelete(entries: Int) -> Int64? {
        guard let segment = sealed else { return nil }
        if segment.progress.rows == 0 { carryDamaged(from: segment) }
        let count = segment.rowsToDelete(entries: entries)
        guard count > 0 else { return nil }
        sealed?.progress.rows += count
        return segment.position + Int64(segment.progress.rows + count)
    }

    /// Adds the entries of damaged sessions, which cannot be flushed, to the active segment, so that the sealed segment
    /// can be deleted.
    private mutating func carryDamaged(from segment: Segment) {
        guard damaged > 0 else { return }
        // Removes duplicates, because the list contains a session twice if it was flushed and then got new entries.
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
    mutating func beginLoading(at position: Int64) { active = Segment(number: 0, from: position) }

    /// Loads an entry of the table if it is valid; `stored` is `missing` if the session has ended.
    ///
    /// A damaged entry is loaded as the session's next entry, so that the damage is found when the session is read.
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

    mutating func loadRow(of entries: Int) {
        active.addRow(of: entries)
    }

    mutating func endLoading() {
        steps.removeAll()
        // Any session may have ended since its entries were written.
        active.hasResidue = !active.rows.isEmpty
        if active.isFull(by: limits) { seal() }
    }

    private mutating func loadDamaged(_ entry: [UInt8], of key: JournalKey) {
        note(key)
        if !isDamaged(key) { damaged += 1 }
        active.add(1, bytes: entry.count)
        sessions[key]?.appendDamaged(entry)
    }

    /// Records a session that has only invalid entries in the table.
    private mutating func note(_ key: JournalKey) {
        guard sessions[key] == nil else { return }
        sessions[key] = BufferedSession(flushedIn: active.number)
        active.add(key)
    }
}
