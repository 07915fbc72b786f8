internal import CSQLite
internal import Glibc

extension Connection {
    /// Opens a journal's file, and makes it where that is wanted.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - purpose: What it is opened for.
    ///   - pageSize: Bytes of a page, for a new file.
    static func journal(
        at path: String, for purpose: Purpose, pageSize: Int
    ) throws(SQLiteJournalError) -> Connection {
        try makeFile(path, for: purpose)
        do throws(SQLiteFailure) {
            let connection = try Connection(opening: path)
            // SQLite falls back to this by itself.
            guard !connection.isReadOnly else { throw SQLiteFailure(.readOnly(path: path)) }
            try connection.lock(pageSize: pageSize)
            let isNew = try connection.isEmpty
            let version = try connection.checkIdentity(isNew: isNew, for: purpose)
            try connection.configure()
            if isNew { try connection.execute(Format.creation) }
            try connection.checkStructure(version)
            if version < Format.version { try connection.execute(Format.upgrade(for: purpose)) }
            try connection.checkRecent()
            if purpose == .inspecting { try connection.protect() }
            return connection
        } catch {
            let isDirectoryTheReason = error.primaryCode == SQLITE_CANTOPEN && !NewFile.isDirectoryWritable(of: path)
            throw isDirectoryTheReason ? .readOnly(path: path) : error.refusal ?? error.openingError(path)
        }
    }

    private static func makeFile(_ path: String, for purpose: Purpose) throws(SQLiteJournalError) {
        if purpose == .inspecting {
            guard NewFile.isMissing(path) else { return }
            throw .missing(path: path)
        }
        switch NewFile.make(path) {
        case nil, EEXIST: return
        case ENOENT, ENOTDIR: throw .noDirectory(path: path)
        case EACCES, EPERM, EROFS: throw .readOnly(path: path)
        case let number?: throw .other(path: path, reason: NewFile.reason(number))
        }
    }

    /// Takes the file for this connection alone, from the first read on; the log's index is then no file either.
    private func lock(pageSize: Int) throws(SQLiteFailure) {
        unsafe withHandle { handle in
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        }
        try execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = \(pageSize); PRAGMA mmap_size = 0;
            PRAGMA cell_size_check = ON
            """)
    }

    private func configure() throws(SQLiteFailure) {
        guard try text("PRAGMA journal_mode = WAL") == "wal" else {
            throw SQLiteFailure(code: SQLITE_READONLY)
        }
        try execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        try execute("PRAGMA cache_size = -16384")
    }

    /// Has nothing be changed from now on.
    private func protect() throws(SQLiteFailure) {
        isInspecting = true
        try execute("PRAGMA query_only = ON")
        unsafe withHandle { handle in unsafe _ = usher_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    }
}
