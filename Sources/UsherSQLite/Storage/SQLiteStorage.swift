import UsherJournal
import UsherProcess

/// The settings of a journal's storage, which only tests change.
struct SQLiteSettings: Sendable {
    /// Bytes of a page, for a new file.
    var pageSize = 4096
    /// The name of SQLite's file system; its own where nil.
    var fileSystem: String?
    /// Pages of the write-ahead log at which a checkpoint runs.
    var checkpointPages = 1000
    /// The time that residue may stay in the write-ahead log, in nanoseconds.
    var residuePatience: Int64 = 1_000_000_000
    /// The size of the write buffer.
    var buffer = WriteBufferLimits()
    /// The time that entries stay in the write buffer while there is little to do, in nanoseconds.
    var flushPatience: Int64 = 2_000_000_000
}

/// The rows of a journal in a database of SQLite's.
final class SQLiteStorage: TransactionalStorage {
    let database: Database
    let statements: Statements
    let queries: QueryStatements
    let settings: SQLiteSettings
    /// The entries that are not in `rows` yet, and count as if they were.
    var buffer: WriteBuffer
    /// The sessions on which there may be verdicts.
    var held = HeldKeys()
    /// The time by which the write buffer is flushed though no commits come.
    var flushSchedule: FlushSchedule
    /// The bytes that ended sessions have left.
    private var residueLedger = ResidueLedger()

    private var checkpointer: Checkpointer
    private var tail = LogTail()
    private var backup: RunningBackup?
    /// False once the flush that goes along with a group has failed: it is not tried again with that group.
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

    /// Notes that something was taken out that must not stay in the write-ahead log.
    func noteResidue() {
        checkpointer.noteResidue()
    }

    /// The content of a row in `rows`.
    func content(_ slot: Int, of key: JournalKey) throws(JournalError) -> [UInt8]? {
        try statements[.row].first(.key(key), .integer(slot)) { SecretRow.unwrapping($0.bytes(0)) }
    }

    /// The header of a session.
    ///
    /// - Returns: nil for a session that there is not.
    func head(of key: JournalKey) throws(JournalError) -> SessionHeader? {
        if let header = try bufferedHeader(of: key) { return header }
        guard let bytes = try content(0, of: key) else {
            // Either both tables know it or neither.
            guard try !isListed(key) else { throw .corrupt(.incomplete) }
            return nil
        }
        return try intact { () throws(EntryError) in try SessionHeader(bytes, of: key) }
    }

    /// The header that a change to a session meets.
    func storedHeader(of key: JournalKey) throws(JournalError) -> StoredHeader {
        do throws(JournalError) {
            guard let header = try head(of: key) else { return .missing }
            return .intact(header)
        } catch .corrupt(let error) {
            return .damaged(error)
        }
    }

    /// True where the table of sessions knows one.
    func isListed(_ key: JournalKey) throws(JournalError) -> Bool {
        try statements[.session].first(.key(key)) { _ in true } ?? false
    }

    /// Reads bytes, of which one session is to blame if they are none.
    func intact<Result>(_ read: () throws(EntryError) -> Result) throws(JournalError) -> Result {
        do throws(EntryError) { return try read() } catch { throw .corrupt(error) }
    }
}

// Transactions.
extension SQLiteStorage {
    /// Writes the changes of a group commit in one transaction.
    func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics {
        flushesWithGroup = true
        do throws(JournalError) { return try writeInTransaction(changes, refusing: refuse) } catch {
            checkpointer.retrySoon()
            throw error
        }
    }

    /// Begins a transaction.
    func begin() throws(JournalError) {
        checkpointer.retry(on: database)
        // First, for if there is no transaction nothing must be taken back that was done before it.
        buffer.begin()
        guard !database.hasMoved else {
            let path = database.path
            throw .unavailable("the journal \(path) was moved or deleted; put it back, and the server continues")
        }
        guard !database.hasLostLog else {
            let path = database.path
            // All that was acknowledged is safe in the file then.
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

    /// A count of what was written since the database was opened.
    var written: Int64 { database.totalChanges + Int64(buffer.stepCount) }

    /// Flushes entries of the sealed segment along with a group, faster than the active one grows.
    func finishGroup() throws(JournalError) -> Bool {
        guard flushesWithGroup, buffer.sealed != nil else { return true }
        guard let damaged = try flushSome(buffer.flushShare) else { return true }
        buffer.noteDamaged(damaged)
        flushesWithGroup = false
        return false
    }

    /// Commits what was written since `begin`.
    func commit() throws(JournalError) {
        try writeGroup()
        do throws(SQLiteFailure) { try run(.commit) } catch { throw refusal(of: error) }
        residueLedger.commit()
        held.commit()
        if buffer.commit() { noteResidue() }
    }

    /// Sees to it that a commit which has failed does not come back.
    ///
    /// - Returns: The failure; `outcomeUnknown` where the next start may find the commit.
    private func refusal(of failure: SQLiteFailure) -> JournalError {
        tail.note(failure)
        let reason = failure.unavailability(database.path)
        do throws(SQLiteFailure) { try tail.cutOff(on: database) } catch { return .outcomeUnknown(reason) }
        return .unavailable(reason)
    }

    /// Takes back what was not committed.
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
    /// Sessions that are looked at in one go: within a millisecond.
    private static let slice = 64

    /// About the bytes that ended sessions have left.
    var residue: Int { residueLedger.bytes }

    /// True while there is something to count.
    var countsResidue: Bool { residueLedger.isCounting && !database.isInspecting }

    /// Counts what a session has left that ends in this transaction.
    func countEnd(of key: JournalKey) throws(JournalError) {
        residueLedger.noteEnd(of: key, leaving: try keptBytes(of: key))
    }

    /// Counts a session no more that goes in this transaction.
    func countGone(_ end: ResidueLedger.EndPlace) throws(JournalError) {
        residueLedger.noteGone(end, of: try keptBytes(of: end.session))
    }

    /// The bytes that a session has, but for its entries.
    private func keptBytes(of key: JournalKey) throws(JournalError) -> Int {
        try statements[.kept].first(.key(key)) { Int($0.integer(0)) } ?? 0
    }

    /// Counts some of what earlier runs have left.
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
            // A database that cannot be read now is not counted further: it is a bound, and no truth.
            residueLedger.count([])
        }
    }
}

// Maintenance.
extension SQLiteStorage {
    /// The time by which the buffer must be flushed, or the log must lose its residue; a backup goes on at once, and so does
    /// the count of what earlier runs have left.
    var maintenanceDue: Int64? {
        backup == nil && !countsResidue ? [checkpointer.residueDue, flushSchedule.due].compactMap(\.self).min() : 0
    }

    /// Flushes the buffer while nothing waits, runs a checkpoint where one is due, and goes on with a backup.
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

    /// Begins a backup in `backups` beside the journal's file, named with the time; it goes on between the batches.
    func backUp(at time: Int64, then end: @escaping RunningBackup.Completion) {
        guard backup == nil else { return end(.failure(.unsupported("a backup is already being made; wait for it"))) }
        do throws(JournalError) {
            backup = try RunningBackup(of: database, to: BackupName.path(of: database.path, at: time), end)
        } catch {
            end(.failure(error))
        }
    }

    /// Flushes the buffer, and empties the write-ahead log; where that fails, all is there the next time.
    func close() {
        backup?.giveUp(.closed)
        guard !database.isInspecting else { return }
        try? tail.cutOff(on: database)
        flushRest()
        database.checkpoint(truncating: true)
    }
}
