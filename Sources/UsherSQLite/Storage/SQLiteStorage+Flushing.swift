import UsherJournal
import UsherProcess

extension SQLiteStorage {
    /// Returns the header of a session with buffered entries; throws `JournalError.corrupt` if the session is damaged.
    func bufferedHeader(of key: JournalKey) throws(JournalError) -> SessionHeader? {
        guard let session = buffer.sessions[key] else { return nil }
        guard !session.isDamaged else { throw .corrupt(.incomplete) }
        return session.header
    }

    /// Writes the row of entries that this transaction adds to the write buffer.
    func writeGroup() throws(JournalError) {
        guard let (position, sessions, entries) = buffer.takeGroup() else { return }
        try statements[.insertBuffered].run(.integer(position), .bytes(sessions), .bytes(entries), .bytes(sessions))
    }

    /// Flushes a session: writes its buffered entries and its header to `rows`.
    func flush(_ key: JournalKey) throws(JournalError) {
        guard let session = buffer.sessions[key], let header = try bufferedHeader(of: key) else { return }
        for run in session.runs {
            try statements[.insertRow].run(.key(key), .integer(run.revision), .bytes(run.content))
        }
        try statements[.updateRow].run(.key(key), .integer(0), .bytes(header.bytes(of: key)))
        guard database.changes == 1 else { throw .corrupt(.incomplete) }
        buffer.noteFlushed(key)
    }

    /// Flushes about `entries` entries of the sealed segment; after the whole segment is flushed, deletes its rows.
    ///
    /// - Returns: nil, or a session that cannot be flushed. In that case, the caller must roll back the transaction.
    func flushSome(_ entries: Int) throws(JournalError) -> JournalKey? {
        var rest = entries
        while rest > 0, let key = buffer.nextToFlush() {
            rest -= buffer.sessions[key]?.entries.count ?? 0
            do throws(JournalError) { try flush(key) } catch {
                guard error.concernsOneSession else { throw error }
                return key
            }
        }
        if rest > 0, let position = buffer.nextToDelete(entries: rest) {
            try statements[.deleteBuffered].run(.integer(position))
        }
        return nil
    }
}

// Flushing while there is nothing else to do.
extension SQLiteStorage {
    /// The approximate number of entries that are flushed at once, which takes one or two milliseconds.
    private static let sliceSize = 512

    /// Schedules a flush for a time when the journal is idle; under load, each new segment postpones this flush, and
    /// the commits flush all entries.
    func scheduleFlush() {
        let segment = buffer.active.number
        guard !flushSchedule.covers(segment), buffer.hasFlushable, !database.isInspecting else { return }
        flushSchedule.postpone(for: segment)
    }

    func flushIfDue() {
        guard let due = flushSchedule.due, due <= MonotonicClock.now else { return }
        if flushSlice() {
            flushSchedule.didFlush(leavingMore: buffer.sealed != nil, active: buffer.active.number)
        } else {
            flushSchedule.retryLater()
        }
    }

    func flushRest() {
        while buffer.hasFlushable, flushSlice() {}
    }

    /// Flushes a part of the sealed segment in a separate transaction; returns `true` if the database works.
    private func flushSlice() -> Bool {
        buffer.seal()
        do throws(JournalError) {
            while true {
                try begin()
                guard let damaged = try flushSome(Self.sliceSize) else { break }
                rollBack()
                buffer.noteDamaged(damaged)
            }
            try commit()
            return true
        } catch {
            rollBack()
            return false
        }
    }
}

/// The time at which the write buffer is flushed even without commits; a new segment postpones this time.
struct FlushSchedule {
    /// The time of the next flush, by the `MonotonicClock`; nil if no flush is scheduled.
    private(set) var due: Int64?
    /// The number of the active segment at the time when the flush was scheduled.
    private var segment = 0
    private let patience: Int64

    /// Creates a schedule for entries that stay in the buffer for `patience` nanoseconds.
    init(patience: Int64) {
        self.patience = patience
    }

    func covers(_ active: Int) -> Bool { due != nil && active == segment }

    /// Schedules or postpones the flush, because the active segment is new or is the first with entries to flush.
    mutating func postpone(for active: Int) {
        retryLater()
        segment = active
    }

    /// Records that a slice was flushed; if there is more to flush, the next slice is due immediately.
    mutating func didFlush(leavingMore: Bool, active: Int) {
        if !leavingMore { due = nil }
        segment = active
    }

    mutating func retryLater() {
        due = MonotonicClock.now + patience
    }
}

// Loading.
extension SQLiteStorage {
    /// Loads the write buffer's table; throws `SQLiteJournalError` if rows are missing, or if an entry cannot be
    /// assigned to a session.
    func loadBuffer() throws(SQLiteJournalError) {
        var headers: [JournalKey: StoredHeader] = [:]
        do throws(JournalError) {
            for row in try statements[.buffered].all(read: BufferedRow.init) {
                if buffer.isEmpty { buffer.beginLoading(at: row.position) }
                guard row.position == buffer.active.end, let group = row.group else {
                    throw .corrupt(.incomplete)
                }
                for (key, entry) in group {
                    if headers[key] == nil { headers[key] = try liveHeader(of: key) }
                    buffer.load(entry, of: key, upon: headers[key] ?? .missing)
                }
                buffer.loadRow(of: group.count)
            }
        } catch {
            throw SQLiteJournalError(error, path: database.path, while: "its newest inputs cannot be read")
        }
        buffer.endLoading()
    }

    /// Returns a session's stored header; `missing` if the session has ended, because its buffered entries are invalid.
    private func liveHeader(of key: JournalKey) throws(JournalError) -> StoredHeader {
        let stored = try storedHeader(of: key)
        guard case .intact(let header) = stored, header.ending != nil else { return stored }
        return .missing
    }
}

private struct BufferedRow {
    let position: Int64
    /// The entries; nil if they cannot be assigned to their sessions.
    let group: [(key: JournalKey, entry: [UInt8])]?

    init(_ row: Statement) {
        position = row.integer(0)
        group = Self.group(row, 1) ?? Self.group(row, 3)
    }

    private static func group(_ row: Statement, _ column: Int32) -> [(key: JournalKey, entry: [UInt8])]? {
        try? EntryGroup.read(sessions: row.bytes(column), entries: row.bytes(2))
    }
}
