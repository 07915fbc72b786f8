import CSQLite
import UsherBytes
import UsherProcess

/// A connection to a database, which only one thread at a time may use.
@safe
final class Database {
    let path: String
    private var handle: OpaquePointer?
    let logPath: String
    private(set) var isInspecting = false
    private let hold: ReadOnlyHold?
    /// The identity of the write-ahead log; nil until the file is served.
    private var log: FileIdentity?
    /// The size of the write-ahead log after the last commit, in pages.
    fileprivate(set) var logPages = 0

    /// Opens an existing file, under a lock if the file is only read.
    init(
        opening path: String, _ access: DatabaseAccess = .writing(), under hold: consuming ReadOnlyHold? = nil
    ) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(access.name(of: path), &opened, flags, access.fileSystem)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLiteFailure(code: code)
        }
        self.path = path
        logPath = Self.logPath(of: path)
        self.hold = hold
        unsafe self.handle = handle
        // Replaces SQLite's own hook, which runs checkpoints within commits; this journal runs them after the response.
        unsafe sqlite3_wal_hook(handle, noteLogPages, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// Closes the file after all statements are deallocated.
    func close() {
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    /// Returns the path of a file's write-ahead log, which is beside the target if the file is a symbolic link.
    static func logPath(of path: String) -> String { "\(NewFile.followingLinks(path))-wal" }

    func accept() {
        log = FileIdentity(of: logPath)
        copiesLogAtClose(true)
    }

    /// Refuses all changes from now on.
    func protect() throws(SQLiteFailure) {
        isInspecting = true
        try execute("PRAGMA query_only = ON")
    }

    /// A Boolean value that indicates whether the log was moved or deleted, so that further writes would be lost.
    var hasLostLog: Bool { log != nil && log != FileIdentity(of: logPath) }

    /// Sets whether `close()` copies the write-ahead log into the file and deletes the log.
    func copiesLogAtClose(_ copies: Bool) {
        unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, copies ? 0 : 1)
    }

    func withHandle<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        unsafe body(handle)
    }

    /// The failure of the last call, with SQLite's message.
    var failure: SQLiteFailure {
        unsafe SQLiteFailure(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }

    func execute(_ sql: String) throws(SQLiteFailure) {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Returns the first value of a statement's first row.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64 {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.integer(0) : 0
    }

    func text(_ sql: String) throws(SQLiteFailure) -> String {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.text(0) : ""
    }

    /// The number of rows that were written since the connection was opened.
    var totalChanges: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// The number of rows that the last statement wrote.
    var changes: Int64 { unsafe sqlite3_changes64(handle) }

    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// Rolls back the transaction, unless a failure has already rolled it back.
    func rollBack() {
        guard isInTransaction else { return }
        unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Runs a checkpoint, which copies the write-ahead log into the database's file.
    ///
    /// - Parameter truncating: Whether the log is then emptied.
    /// - Returns: `true` if the whole log was copied.
    @discardableResult
    func checkpoint(truncating: Bool) -> Bool {
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil)
        if code == SQLITE_OK { logPages = 0 }
        return code == SQLITE_OK
    }

    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift cannot import.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// Reads bytes of the file itself, without SQLite's cache and log; bytes after the file's end are zeros.
    func bytes(_ count: Int, at offset: Int) throws(SQLiteFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var file: UnsafeMutablePointer<sqlite3_file>?
        var code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        if code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods {
            unsafe code = methods.pointee.xRead(file, &bytes, Int32(count), sqlite3_int64(offset))
        }
        guard code == SQLITE_OK || code == Self.shortRead else { throw SQLiteFailure(code: code) }
        return bytes
    }

    /// Truncates the write-ahead log after its last commit; call this function immediately after a commit.
    ///
    /// - Throws: `SQLiteFailure` if the truncation is not durable.
    func truncateLog() throws(SQLiteFailure) {
        let size = WriteAheadLog.size(ofFrames: logPages, pageSize: Int(try integer("PRAGMA page_size")))
        var file: UnsafeMutablePointer<sqlite3_file>?
        var code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        if code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods {
            unsafe code = methods.pointee.xTruncate(file, sqlite3_int64(size))
            if code == SQLITE_OK { unsafe code = methods.pointee.xSync(file, SQLITE_SYNC_NORMAL) }
        }
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code) }
    }
}

/// The kind of access to a database's file.
enum DatabaseAccess {
    /// To read and write, through the named VFS of SQLite, or the default VFS.
    case writing(through: String? = nil)
    /// To read a file and its write-ahead log without creating or locking files. Neither may change in the meantime.
    case reading
    /// To read a file without a write-ahead log. The file must not change in the meantime.
    case readingWithoutLog

    fileprivate var flags: Int32 {
        switch self {
        case .writing: SQLITE_OPEN_READWRITE
        case .reading: SQLITE_OPEN_READONLY
        case .readingWithoutLog: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
    }

    fileprivate var fileSystem: String? {
        switch self {
        case .writing(let name): name
        case .reading: "unix-none"
        case .readingWithoutLog: nil
        }
    }

    fileprivate func name(of path: String) -> String {
        // A relative path gets a directory, so that SQLite takes `:memory:` as the name of a file.
        let path = path.hasPrefix("/") ? path : "./\(path)"
        guard case .readingWithoutLog = self else { return path }
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map { String($0).percentEncoded }
        return "file:\(names.joined(separator: "/"))?immutable=1"
    }
}

private func noteLogPages(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?, name: UnsafePointer<CChar>?, pages: Int32
) -> Int32 {
    guard let context = unsafe context else { return SQLITE_OK }
    unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
    return SQLITE_OK
}
