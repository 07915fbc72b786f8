import UsherJournal
import UsherProcess

extension SQLiteStorage {
    /// The header of a session that has entries in the write buffer which count.
    ///
    /// - Throws: `JournalError.corrupt` where nobody knows what they follow on.
    func bufferedHeader(of key: JournalKey) throws(JournalError) -> SessionHeader? {
        guard let session = buffer.sessions[key] else { return nil }
        guard !session.isDamaged else { throw .corrupt(.incomplete) }
        return session.header
    }

    /// Makes a row of the entries that this transaction has brought into the write buffer.
    func writeGroup() throws(JournalError) {
        guard let (position, sessions, entries) = buffer.takeGroup() else { return }
        try statements[.insertBuffered].run(.integer(position), .bytes(sessions), .bytes(entries), .bytes(sessions))
    }

    /// Flushes a session: its buffered entries go to `rows`, with its header.
    func flush(_ key: JournalKey) throws(JournalError) {
        guard let session = buffer.sessions[key], let header = try bufferedHeader(of: key) else { return }
        for run in session.runs {
            try statements[.insertRow].run(.key(key), .integer(run.revision), .bytes(run.content))
        }
        try statements[.updateRow].run(.key(key), .integer(0), .bytes(header.bytes(of: key)))
        guard database.changes == 1 else { throw .corrupt(.incomplete) }
        buffer.noteFlushed(key)
    }

    /// Flushes some of the sealed segment, and deletes its rows once all of it is flushed.
    ///
    /// - Parameter entries: About how many entries.
    /// - Returns: A session that cannot be flushed: the transaction must be rolled back.
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
    /// About how many entries are flushed in one go: within a millisecond or two.
    private static let sliceSize = 512

    /// Notes that there is something to flush once there is time; while segments follow fast on each other, all of them
    /// are flushed along with commits.
    func scheduleFlush() {
        let segment = buffer.active.number
        guard !flushSchedule.covers(segment), buffer.hasFlushable, !database.isInspecting else { return }
        flushSchedule.postpone(for: segment)
    }

    /// Flushes a slice, where that is due.
    func flushIfDue() {
        guard let due = flushSchedule.due, due <= MonotonicClock.now else { return }
        if flushSlice() {
            // The next at once, as soon as nothing else is to be done.
            flushSchedule.didFlush(leavingMore: buffer.sealed != nil, active: buffer.active.number)
        } else {
            flushSchedule.retryLater()
        }
    }

    /// Flushes all there is.
    func flushRest() {
        while buffer.hasFlushable, flushSlice() {}
    }

    /// Flushes some of the sealed segment in a transaction of its own.
    ///
    /// - Returns: True if the database works.
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

/// The time by which the write buffer is flushed though no commits come; a new segment puts it off.
struct FlushSchedule {
    /// That time, by the `MonotonicClock`; nil for none.
    private(set) var due: Int64?
    /// The number of the active segment when that was noted.
    private var segment = 0
    private let patience: Int64

    /// - Parameter patience: The time that entries stay in the buffer, in nanoseconds.
    init(patience: Int64) {
        self.patience = patience
    }

    /// True where a flush is due in time for what is in the active segment.
    func covers(_ active: Int) -> Bool { due != nil && active == segment }

    /// Puts the flush off: the active segment is new, or the first that has something to flush.
    mutating func postpone(for active: Int) {
        retryLater()
        segment = active
    }

    /// Notes that a slice was flushed; the next is due at once.
    mutating func didFlush(leavingMore: Bool, active: Int) {
        if !leavingMore { due = nil }
        segment = active
    }

    /// Notes that the database did not work.
    mutating func retryLater() {
        due = MonotonicClock.now + patience
    }
}

// Loading.
extension SQLiteStorage {
    /// Reads the table of the write buffer.
    ///
    /// - Throws: `SQLiteJournalError` where rows are missing, or nobody can tell whose an entry is.
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

    /// The header in `rows` that a session's buffered entries follow on: missing where they count no more.
    private func liveHeader(of key: JournalKey) throws(JournalError) -> StoredHeader {
        let stored = try storedHeader(of: key)
        guard case .intact(let header) = stored, header.ending != nil else { return stored }
        return .missing
    }
}

/// A row of the write buffer's table, as it was read.
private struct BufferedRow {
    let position: Int64
    /// nil where it cannot be told which entry is whose.
    let group: [(key: JournalKey, entry: [UInt8])]?

    init(_ row: Statement) {
        position = row.integer(0)
        group = Self.group(row, 1) ?? Self.group(row, 3)
    }

    private static func group(_ row: Statement, _ column: Int32) -> [(key: JournalKey, entry: [UInt8])]? {
        try? EntryGroup.read(sessions: row.bytes(column), entries: row.bytes(2))
    }
}
