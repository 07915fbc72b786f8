internal import CSQLite

extension Connection {
    /// Whether nobody has made anything of the file yet.
    var isEmpty: Bool {
        get throws(SQLiteFailure) {
            let tables = try integer("SELECT count(*) FROM sqlite_schema")
            let application = try integer("PRAGMA application_id")
            let version = try integer("PRAGMA user_version")
            return (tables, application, version) == (0, 0, 0)
        }
    }

    /// Checks that the file is a journal, and of a format that this build knows.
    ///
    /// - Returns: The format.
    func checkIdentity(isNew: Bool, for purpose: Purpose) throws(SQLiteFailure) -> Int64 {
        if isNew {
            guard purpose == .inspecting else { return Format.version }
            throw SQLiteFailure(.notAJournal(path: path))
        }
        guard try integer("PRAGMA application_id") == Format.application else {
            throw SQLiteFailure(.notAJournal(path: path))
        }
        let version = try integer("PRAGMA user_version")
        guard version <= Format.version else { throw SQLiteFailure(.newer(path: path, format: Int(version))) }
        guard version >= 1 else { throw damage("its header names no format") }
        return version
    }

    /// Checks that the database is made up as this build makes one.
    ///
    /// SQLite follows what the first page says without a doubt: a flipped bit there could have it write anywhere.
    func checkStructure(_ version: Int64) throws(SQLiteFailure) {
        let isVacuuming = try integer("PRAGMA auto_vacuum") != 0
        guard !isVacuuming, try text("PRAGMA encoding") == "UTF-8" else {
            throw damage("its header says what no build writes")
        }
        var found: [String: String] = [:]
        var roots: Set<Int64> = []
        let statement = try Statement(
            "SELECT name, sql, rootpage FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'", on: self)
        while try statement.step() {
            found[statement.text(0)] = statement.text(1)
            roots.insert(statement.integer(2))
        }
        guard found == Format.schema(of: version), roots.count == found.count else {
            throw damage("its tables are not those of a journal")
        }
    }

    /// Checks that no row is missing of the table of recent entries: nothing else knows of them.
    func checkRecent() throws(SQLiteFailure) {
        guard try text("PRAGMA integrity_check(recent)") == "ok" else {
            throw damage("its newest inputs are not all there")
        }
    }

    /// Whether the file is no longer where it was opened: what is written to one that was deleted is nowhere.
    var hasMoved: Bool {
        var answer: Int32 = 0
        let code = unsafe withHandle { unsafe sqlite3_file_control($0, "main", SQLITE_FCNTL_HAS_MOVED, &answer) }
        return code == SQLITE_OK && answer != 0
    }

    private func damage(_ reason: String) -> SQLiteFailure {
        SQLiteFailure(.corrupt(path: path, reason: reason))
    }
}
