import UsherJournal
import UsherProcess

/// The settings of a journal's storage; only tests use values other than the defaults.
struct SQLiteSettings: Sendable {
    /// The number of bytes of a page in a new file.
    var pageSize = 4096
    /// The name of SQLite's VFS; nil for the default.
    var fileSystem: String?
    /// The number of pages in the write-ahead log that triggers a checkpoint.
    var checkpointPages = 1000
    /// The time in nanoseconds that residue may stay in the write-ahead log.
    var residuePatience: Int64 = 1_000_000_000
    var buffer = WriteBufferLimits()
    /// The time in nanoseconds that entries stay in the write buffer while the journal is nearly idle.
    var flushPatience: Int64 = 2_000_000_000
}

/// The rows of a journal in an SQLite database.
final class SQLiteStorage: TransactionalStorage {
    let database: Database
    let statements: Statements
    let queries: QueryStatements
    let settings: SQLiteSettings
    var buffer: WriteBuffer
    var held = HeldKeys()
    var flushSchedule: FlushSchedule
    private var residueLedger = ResidueLedger()

    private var checkpointer: Checkpointer
    private var tail = LogTail()
    private var backup: RunningBackup?
    /// A Boolean value that is `false` after the flush with the current group has failed, so that this group does not
    /// try to flush again.
    private var flushesWithGroup = true

    init(_ database: Database, _ settings: SQLiteSettings = SQLiteSettings()) throws(SQLiteJournalError) {
        self.database = database
        self.settings = settings
        queries = QueryStatements(database)
        buffer = WriteBuffer(settings.buffer)
        flushSchedule = FlushSchedule(patience: settings.flushPatience)
        checkpointer = Checkpointer(pages: settings.checkpointPages, residuePatience: settings.residuePatience)
        do throws(SQLiteFailure) { statements = try Statements(database) } catch {
            throw error.openingError(database.path)
        }
        try loadBuffer()
        do throws(JournalError) { try loadHolds() } catch {
            throw SQLiteJournalError(error, path: database.path, while: "its sessions on hold cannot be read")
        }
    }

    /// Records that this transaction has deleted data that must also leave the write-ahead log.
    func noteResidue() {
        checkpointer.noteResidue()
    }

    func content(_ slot: Int, of key: JournalKey) throws(JournalError) -> [UInt8]? {
        try statements[.row].first(.key(key), .integer(slot)) { SecretRow.unwrapping($0.bytes(0)) }
    }

    func header(of key: JournalKey) throws(JournalError) -> SessionHeader? {
        if let header = try bufferedHeader(of: key) { return header }
        guard let bytes = try content(0, of: key) else {
            // A session must be in both tables or in neither.
            guard try !isListed(key) else { throw .corrupt(.incomplete) }
            return nil
        }
        return try intact { () throws(EntryError) in try SessionHeader(bytes, of: key) }
    }

    /// Returns the header that the next change of a session must follow.
    func storedHeader(of key: JournalKey) throws(JournalError) -> StoredHeader {
        do throws(JournalError) {
            guard let header = try header(of: key) else { return .missing }
            return .intact(header)
        } catch .corrupt(let error) {
            return .damaged(error)
        }
    }

    func isListed(_ key: JournalKey) throws(JournalError) -> Bool {
        try statements[.session].first(.key(key)) { _ in true } ?? false
    }
}

// Transactions.
extension SQLiteStorage {
    func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics {
        flushesWithGroup = true
        do throws(JournalError) { return try writeInTransaction(changes, refusing: refuse) } catch {
            checkpointer.retrySoon()
            throw error
        }
    }

    func begin() throws(JournalError) {
        checkpointer.retry(on: database)
        // If a check below fails, the caller rolls back. The buffer's transaction begins before the checks, because the
        // rollback would otherwise undo the previous transaction.
        buffer.begin()
        guard !database.hasMoved else {
            let path = database.path
            throw .unavailable("the journal \(path) was moved or deleted; put it back, and the server continues")
        }
        guard !database.hasLostLog else {
            let path = database.path
            // Copies all acknowledged changes into the file, where they are safe even if the log is lost.
            database.checkpoint(truncating: false)
            throw .unavailable(
                "the write-ahead log \(path)-wal was moved, deleted or replaced; put it back, or restart the server")
        }
        do throws(SQLiteFailure) {
            try tail.cutOff(on: database)
            try run(.begin)
        } catch {
            throw .unavailable(error.unavailability(database.path))
        }
    }

    var written: Int64 { database.totalChanges + Int64(buffer.stepCount) }

    /// Flushes a part of the sealed segment with a group, so that no part is left when the active segment is full.
    func finishGroup() throws(JournalError) -> Bool {
        guard flushesWithGroup, buffer.sealed != nil else { return true }
        guard let damaged = try flushSome(buffer.flushShare) else { return true }
        buffer.noteDamaged(damaged)
        flushesWithGroup = false
        return false
    }

    func commit() throws(JournalError) {
        try writeGroup()
        do throws(SQLiteFailure) { try run(.commit) } catch { throw refusal(of: error) }
        residueLedger.commit()
        held.commit()
        if buffer.commit() { noteResidue() }
    }

    /// Tries to prevent a failed commit from reappearing after a restart; returns `outcomeUnknown` if it may reappear.
    private func refusal(of failure: SQLiteFailure) -> JournalError {
        tail.note(failure)
        let reason = failure.unavailability(database.path)
        do throws(SQLiteFailure) { try tail.cutOff(on: database) } catch { return .outcomeUnknown(reason) }
        return .unavailable(reason)
    }

    func rollBack() {
        database.rollBack()
        buffer.rollBack()
        held.rollBack()
        residueLedger.rollBack()
    }

    private func run(_ sql: SQL) throws(SQLiteFailure) {
        defer { statements[sql].reset() }
        _ = try statements[sql].step()
    }
}

// The residue of ended sessions.
extension SQLiteStorage {
    /// The number of sessions that are counted at once, which takes at most a millisecond.
    private static let slice = 64

    var residue: Int { residueLedger.bytes }

    var countsResidue: Bool { residueLedger.isCounting && !database.isInspecting }

    func countEnd(of key: JournalKey) throws(JournalError) {
        residueLedger.noteEnd(of: key, leaving: try keptBytes(of: key))
    }

    func countGone(_ end: ResidueLedger.EndPlace) throws(JournalError) {
        residueLedger.noteGone(end, of: try keptBytes(of: end.session))
    }

    /// Returns the number of bytes of a session without its entries.
    private func keptBytes(of key: JournalKey) throws(JournalError) -> Int {
        try statements[.kept].first(.key(key)) { Int($0.integer(0)) } ?? 0
    }

    /// Counts some of the residue of earlier runs.
    func countResidue() {
        guard countsResidue else { return }
        let place = residueLedger.place
        do throws(JournalError) {
            let found = try statements[.ends].all(
                .integer(place?.time ?? .min), place.map { .key($0.session) } ?? .bytes([]), .integer(Self.slice)
            ) { row in
                row.key(1).map {
                    (place: ResidueLedger.EndPlace(time: row.integer(0), session: $0), size: Int(row.integer(2)))
                }
            }
            residueLedger.count(found)
        } catch {
            // If the database cannot be read now, ends the count. The number is only compared with a limit, and need
            // not be exact.
            residueLedger.count([])
        }
    }
}

// Maintenance.
extension SQLiteStorage {
    /// The time when the buffer must be flushed or deleted data must leave the log; 0 during a backup or a count of
    /// residue, because these continue immediately.
    var maintenanceDue: Int64? {
        backup == nil && !countsResidue ? [checkpointer.residueDue, flushSchedule.due].compactMap(\.self).min() : 0
    }

    /// If the journal is idle, flushes the buffer; also runs a checkpoint if one is due, and continues a backup.
    func maintain(isIdle: Bool) {
        if isIdle {
            flushIfDue()
            countResidue()
        }
        scheduleFlush()
        checkpointer.run(on: database)
        guard let running = backup, running.step() else { return }
        backup = nil
    }

    /// Starts a backup, which continues between batches.
    func backUp(at time: Int64, then end: @escaping RunningBackup.Completion) {
        guard backup == nil else { return end(.failure(.unsupported("a backup is already being made; wait for it"))) }
        do throws(JournalError) {
            backup = try RunningBackup(of: database, to: BackupName.path(of: database.path, at: time), end)
        } catch {
            end(.failure(error))
        }
    }

    /// Flushes the buffer and empties the write-ahead log; if this fails, the next start reads the log.
    func close() {
        backup?.giveUp(.closed)
        guard !database.isInspecting else { return }
        try? tail.cutOff(on: database)
        flushRest()
        database.checkpoint(truncating: true)
    }
}
