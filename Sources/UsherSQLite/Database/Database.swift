import CSQLite

/// A connection to a database, used by one thread at a time.
@safe
final class Database {
    let path: String
    private var handle: OpaquePointer?
    /// True where nothing may be changed.
    var isInspecting = false
    /// The size of the write-ahead log after the last commit, in pages.
    fileprivate(set) var logPages = 0

    /// Opens a database.
    ///
    /// - Parameter path: A file, which must be there.
    /// - Throws: `SQLiteFailure`.
    init(opening path: String) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // A relative path gets a directory: `:memory:` is a file's name here.
        let code = unsafe sqlite3_open_v2(path.hasPrefix("/") ? path : "./\(path)", &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLiteFailure(code: code)
        }
        self.path = path
        unsafe self.handle = handle
        // It takes the place of SQLite's own, which runs a checkpoint within a commit; here that is done after the answer.
        unsafe sqlite3_wal_hook(handle, noteLogPages, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// Closes the file, once all statements are gone too.
    func close() {
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    /// Hands the connection to a function of SQLite.
    func withHandle<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        unsafe body(handle)
    }

    /// The failure of the last call, in SQLite's words.
    var failure: SQLiteFailure {
        unsafe SQLiteFailure(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }

    /// Runs statements that return no rows of interest.
    func execute(_ sql: String) throws(SQLiteFailure) {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// The first value of a statement's first row.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64 {
        let statement = try Statement(sql, on: self)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// The first value of a statement's first row.
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

    /// Takes back what was not committed; some failures have done so already.
    func rollBack() {
        guard isInTransaction else { return }
        unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Runs a checkpoint: copies the write-ahead log into the database's file.
    ///
    /// - Parameter truncating: True if nothing of the log may stay behind.
    /// - Returns: True once all of it was copied.
    @discardableResult
    func checkpoint(truncating: Bool) -> Bool {
        let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil)
        if code == SQLITE_OK { logPages = 0 }
        return code == SQLITE_OK
    }
}

private func noteLogPages(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?, name: UnsafePointer<CChar>?, pages: Int32
) -> Int32 {
    guard let context = unsafe context else { return SQLITE_OK }
    unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages)
    return SQLITE_OK
}
