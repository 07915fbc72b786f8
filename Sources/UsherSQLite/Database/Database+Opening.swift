import CSQLite
import Glibc

/// The purpose for which a journal's file is opened.
package enum Purpose: Sendable {
    /// To serve sessions. A missing file is created.
    case serving
    /// To inspect the file. A missing file is an error, and nothing is changed.
    case inspecting
}

extension Database {
    /// Opens a journal's file; creates a missing file if the purpose is to serve.
    ///
    /// `pageSize` is the number of bytes of a page in a new file. `fileSystem` is the name of SQLite's VFS; nil for the
    /// default.
    static func journal(
        at path: String, for purpose: Purpose, pageSize: Int, fileSystem: String? = nil
    ) throws(SQLiteJournalError) -> Database {
        try makeFile(path, for: purpose)
        do throws(SQLiteFailure) {
            let database = try opened(path, for: purpose, fileSystem)
            try database.lock(pageSize: pageSize)
            try database.checkOwnLog()
            let isNew = try database.isEmpty
            try database.checkLog()
            try database.checkIdentity(isNew: isNew, for: purpose)
            try database.configure(for: purpose)
            if isNew { try database.execute(Format.creation) }
            try database.checkStructure()
            try database.checkBuffer()
            switch purpose {
            case .inspecting: try database.protect()
            case .serving: database.accept()
            }
            return database
        } catch {
            let obstacle = error.primaryCode == SQLITE_CANTOPEN ? obstacle(to: path, for: purpose) : nil
            throw obstacle ?? error.refusal ?? error.openingError(path)
        }
    }

    /// Finds out why SQLite cannot open a file, because SQLite does not report the reason.
    private static func obstacle(to path: String, for purpose: Purpose) -> SQLiteJournalError? {
        if purpose == .serving, !NewFile.isWritable(path) { return .readOnly(path: path) }
        for file in [path, logPath(of: path)] {
            guard let number = NewFile.obstacle(to: file, writing: purpose == .serving) else { continue }
            return number == EACCES && purpose == .serving
                ? .readOnly(path: file) : .other(path: file, reason: NewFile.reason(number))
        }
        return nil
    }

    /// Opens the file, which several processes can inspect at the same time, even without the permission to write.
    private static func opened(
        _ path: String, for purpose: Purpose, _ fileSystem: String?
    ) throws(SQLiteFailure) -> Database {
        if purpose == .inspecting { return try openedToRead(path) }
        let database = try Database(opening: path, .writing(through: fileSystem))
        // If SQLite cannot write the file, SQLite opens it read-only without an error.
        guard !database.isReadOnly else { throw SQLiteFailure(.readOnly(path: path)) }
        return database
    }

    private static func openedToRead(_ path: String) throws(SQLiteFailure) -> Database {
        let hold = try ReadOnlyHold(path)
        let hasLog = NewFile.size(of: logPath(of: path)) ?? 0 > 0
        return try Database(opening: path, hasLog ? .reading : .readingWithoutLog, under: hold)
    }

    /// The size in bytes of SQLite's smallest page; SQLite would treat a file of one byte as empty.
    private static let smallestSize = 512

    private static func makeFile(_ path: String, for purpose: Purpose) throws(SQLiteJournalError) {
        let size = NewFile.size(of: path) ?? 0
        // Refuses an empty file with a log, because SQLite would delete the log.
        if size == 0, NewFile.size(of: logPath(of: path)) ?? 0 > 0 { throw .logAlone(path: path) }
        guard size == 0 || size >= smallestSize else { throw .notAJournal(path: path) }
        if purpose == .inspecting {
            guard NewFile.isMissing(path) else { return }
            throw .missing(path: path)
        }
        switch NewFile.make(NewFile.followingLinks(path)) {
        case nil, EEXIST: return
        case ENOENT, ENOTDIR: throw .noDirectory(path: path)
        case EACCES, EPERM, EROFS: throw .readOnly(path: path)
        case let number?: throw .other(path: path, reason: NewFile.reason(number))
        }
    }

    /// Locks the file for this process from the first read on, so that SQLite needs no file for the log's index.
    private func lock(pageSize: Int) throws(SQLiteFailure) {
        unsafe withHandle { handle in
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        }
        // If the file is refused, it must stay unchanged.
        copiesLogAtClose(false)
        try execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = \(pageSize); PRAGMA mmap_size = 0;
            PRAGMA cell_size_check = ON
            """)
    }

    private func configure(for purpose: Purpose) throws(SQLiteFailure) {
        // Only for serving, because inspecting a backup must not turn the backup into a database with a log.
        if purpose == .serving, try text("PRAGMA journal_mode = WAL") != "wal" {
            throw SQLiteFailure(code: SQLITE_READONLY)
        }
        try execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        // SQLite must not write pages before the commit: the log must contain a whole transaction or nothing of it.
        try execute("PRAGMA cache_size = -16384; PRAGMA cache_spill = OFF")
    }
}

extension Database {
    fileprivate var isEmpty: Bool {
        get throws(SQLiteFailure) {
            let tables = try integer("SELECT count(*) FROM sqlite_schema")
            let application = try integer("PRAGMA application_id")
            let version = try integer("PRAGMA user_version")
            return (tables, application, version) == (0, 0, 0)
        }
    }

    /// Checks that the file is a journal of this build's format.
    fileprivate func checkIdentity(isNew: Bool, for purpose: Purpose) throws(SQLiteFailure) {
        if isNew, purpose == .serving { return }
        guard !isNew, try integer("PRAGMA application_id") == Format.application else {
            throw SQLiteFailure(.notAJournal(path: path))
        }
        let version = try integer("PRAGMA user_version")
        guard version >= 1 else { throw damage("its header has no format") }
        guard version == Format.version else { throw SQLiteFailure(.format(path: path, found: Int(version))) }
    }

    /// Checks that the database has the structure that this build creates.
    ///
    /// SQLite trusts the first page. If a bit of this page was flipped, SQLite could write anywhere.
    fileprivate func checkStructure() throws(SQLiteFailure) {
        let isVacuuming = try integer("PRAGMA auto_vacuum") != 0
        guard !isVacuuming, try text("PRAGMA encoding") == "UTF-8" else {
            throw damage("its header has contents that no build writes")
        }
        var found: [String: String] = [:]
        var roots: Set<Int64> = []
        let statement = try Statement(
            "SELECT name, sql, rootpage FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'", on: self)
        while try statement.step() {
            found[statement.text(0)] = statement.text(1)
            roots.insert(statement.integer(2))
        }
        guard found == Format.schema, roots.count == found.count else {
            throw damage("its tables are not those of a journal")
        }
    }

    /// Checks that no write-ahead log is beside a backup: such a log is another journal's, and SQLite would apply it.
    fileprivate func checkOwnLog() throws(SQLiteFailure) {
        guard NewFile.size(of: logPath) ?? 0 > 0, try bytes(2, at: FileVersions.offset) == FileVersions.withoutLog
        else {
            return
        }
        throw SQLiteFailure(.foreignLog(path: path))
    }

    /// Checks that the write-ahead log is undamaged, except for its last transaction.
    fileprivate func checkLog() throws(SQLiteFailure) {
        let pageSize = try integer("PRAGMA page_size")
        let log = logPath
        guard let found = try WriteAheadLog.damage(of: log, pageSize: Int(pageSize)) else { return }
        let place = found.frame == 0 ? "its header" : "frame \(found.frame)"
        throw damage(
            """
            \(place) of its write-ahead log \(log) was changed after it was written \
            (to keep only the part before that place, run "truncate -s \(found.intactBytes) \(log)")
            """)
    }

    /// Checks that the write buffer has all of its rows, because other rows do not show that a row is missing.
    fileprivate func checkBuffer() throws(SQLiteFailure) {
        // Reads the whole table first, so that a disk error is not mistaken for a damaged table.
        _ = try integer("SELECT count(*) FROM recent WHERE entries = copy OR sessions = copy")
        guard try text("PRAGMA integrity_check(recent)") == "ok" else {
            throw damage("some of its newest inputs are missing")
        }
    }

    /// A Boolean value that indicates whether the file was moved or deleted, so that further writes would be lost.
    var hasMoved: Bool {
        var answer: Int32 = 0
        let code = unsafe withHandle { unsafe sqlite3_file_control($0, "main", SQLITE_FCNTL_HAS_MOVED, &answer) }
        return code == SQLITE_OK && answer != 0
    }

    private func damage(_ reason: String) -> SQLiteFailure {
        SQLiteFailure(.corrupt(path: path, reason: reason))
    }
}
