/// The statements of a journal's storage, prepared once.
struct Statements {
    /// A row's content, by session and slot.
    let row: Statement
    let insertRow: Statement
    let updateRow: Statement
    let deleteRow: Statement
    let deleteEntries: Statement
    let deleteRows: Statement
    /// Slots and contents of a session from its newest answer to a slot.
    let rows: Statement
    /// Slots and contents of a session's entries from the row on that has a revision, so many.
    let slice: Statement

    /// The time of a session's end, if it has ended.
    let session: Statement
    let insertSession: Statement
    /// The time at which a session was last touched.
    let touched: Statement
    let touchSession: Statement
    let endSession: Statement
    let wakeSession: Statement
    let leakSession: Statement
    let deleteSession: Statement

    let opening: Statement
    let insertOpening: Statement
    let deleteOpenings: Statement

    let insertSubject: Statement
    let deleteSubject: Statement

    /// All guilty inputs, in order.
    let guilty: Statement
    let insertGuilty: Statement
    let deleteGuilty: Statement
    let deleteGuiltyOfSession: Statement
    /// Leaves the newest, so many.
    let trimGuilty: Statement

    /// All of the write buffer's table, in order.
    let buffered: Statement
    let insertBuffered: Statement
    let deleteBuffered: Statement

    let begin: Statement
    let commit: Statement

    let count: Statement
    let list: ListStatement
    /// The live sessions of a subject, after a place.
    let listOfSubject: ListStatement
    let idle: ListStatement
    let ended: Statement
    let due: Statement
    /// The bytes that a session has, but for its entries.
    let kept: Statement
    /// Sessions that have ended, after a place, with the bytes that they have left.
    let ends: Statement

    init(_ database: Database) throws(SQLiteFailure) {
        func prepare(_ sql: String) throws(SQLiteFailure) -> Statement { try Statement(sql, on: database) }
        row = try prepare("SELECT content FROM rows WHERE session = ?1 AND slot = ?2")
        insertRow = try prepare("INSERT INTO rows VALUES (?1, ?2, ?3)")
        updateRow = try prepare("UPDATE rows SET content = ?3 WHERE session = ?1 AND slot = ?2")
        deleteRow = try prepare("DELETE FROM rows WHERE session = ?1 AND slot = ?2")
        deleteEntries = try prepare("DELETE FROM rows WHERE session = ?1 AND slot > 0")
        deleteRows = try prepare("DELETE FROM rows WHERE session = ?1")
        rows = try prepare("SELECT slot, content FROM rows WHERE session = ?1 AND slot <= ?2 ORDER BY slot")
        slice = try prepare(
            """
            SELECT slot, content FROM rows
            WHERE session = ?1 AND slot >= coalesce(
                (SELECT max(slot) FROM rows WHERE session = ?1 AND slot BETWEEN 1 AND ?2), 1)
            ORDER BY slot LIMIT ?3
            """)

        session = try prepare("SELECT ended FROM sessions WHERE session = ?1")
        insertSession = try prepare("INSERT INTO sessions VALUES (?1, ?2, NULL, NULL, ?3, ?4, ?5)")
        leakSession = try prepare("UPDATE sessions SET leaked = ?2 WHERE session = ?1")
        touched = try prepare("SELECT touched FROM sessions WHERE session = ?1")
        touchSession = try prepare(
            "UPDATE sessions SET touched = ?2 WHERE session = ?1 AND touched < ?2 AND ended IS NULL")
        endSession = try prepare("UPDATE sessions SET ended = ?2, wake = NULL WHERE session = ?1")
        wakeSession = try prepare("UPDATE sessions SET wake = ?2 WHERE session = ?1")
        deleteSession = try prepare("DELETE FROM sessions WHERE session = ?1")

        opening = try prepare("SELECT session, content FROM openings WHERE key = ?1")
        insertOpening = try prepare("INSERT INTO openings VALUES (?1, ?2, ?3)")
        deleteOpenings = try prepare("DELETE FROM openings WHERE session = ?1")

        insertSubject = try prepare("INSERT INTO subjects VALUES (?1, ?2)")
        deleteSubject = try prepare("DELETE FROM subjects WHERE session = ?1")

        guilty = try prepare("SELECT number, session, content FROM guilty ORDER BY number")
        insertGuilty = try prepare("INSERT INTO guilty(session, content) VALUES (?1, ?2)")
        deleteGuilty = try prepare("DELETE FROM guilty WHERE number = ?1")
        deleteGuiltyOfSession = try prepare("DELETE FROM guilty WHERE session = ?1")
        trimGuilty = try prepare(
            """
            DELETE FROM guilty
            WHERE number <= (SELECT number FROM guilty ORDER BY number DESC LIMIT 1 OFFSET ?1)
            """)

        buffered = try prepare("SELECT position, sessions, entries, copy FROM recent ORDER BY position")
        insertBuffered = try prepare("INSERT INTO recent VALUES (?1, ?2, ?3, ?4)")
        deleteBuffered = try prepare("DELETE FROM recent WHERE position < ?1")

        begin = try prepare("BEGIN IMMEDIATE")
        commit = try prepare("COMMIT")

        // Both are counted by pages; to ask each row whether it has ended takes a second for a million.
        count = try prepare(
            """
            SELECT (SELECT count(*) FROM sessions) - (SELECT count(*) FROM sessions WHERE ended IS NOT NULL)
            """)
        // With the sign, so that the order of keys is walked, and not the index of times sorted.
        list = try ListStatement(
            "FROM sessions WHERE session > ?1 AND +ended IS NULL ORDER BY session LIMIT ?2", of: "sessions",
            on: database)
        listOfSubject = try ListStatement(
            "FROM subjects WHERE subject = ?1 AND session > ?2 ORDER BY session LIMIT ?3", of: "subjects", on: database)
        idle = try ListStatement(
            "FROM sessions WHERE touched <= ?1 AND ended IS NULL ORDER BY touched LIMIT ?2", of: "sessions",
            on: database)
        due = try prepare(
            """
            SELECT wake, session FROM sessions
            WHERE wake <= ?1 AND (wake, session) > (?2, ?3) ORDER BY wake, session LIMIT ?4
            """)
        let size = """
            (SELECT coalesce(sum(length(content) + 32), 0) FROM rows WHERE rows.session = subject AND slot <= 0)
            + (SELECT coalesce(sum(length(content) + 64), 0) FROM openings WHERE openings.session = subject)
            """
        kept = try prepare("SELECT \(size) FROM (SELECT ?1 AS subject)")
        ends = try prepare(
            """
            SELECT ended, subject, \(size) FROM (
                SELECT ended, session AS subject FROM sessions
                WHERE ended IS NOT NULL AND (ended, session) > (?1, ?2) ORDER BY ended, session LIMIT ?3)
            """)
        ended = try prepare("SELECT session, ended FROM sessions WHERE ended < ?1 ORDER BY ended LIMIT ?2")
    }
}

/// A statement that lists sessions: each row begins with a key and a header.
struct ListStatement {
    let rows: Statement
    /// The same without headers: a damaged page of these ends the other at once, whichever sessions it is of.
    let keys: Statement

    /// Prepares both.
    ///
    /// - Parameters:
    ///   - source: All behind the columns, from `FROM` on.
    ///   - table: The table that the keys are in.
    ///   - columns: Further columns, each behind a comma.
    ///   - database: The database.
    init(_ source: String, of table: String, and columns: String = "", on database: Database) throws(SQLiteFailure) {
        rows = try Statement(Self.sql(source, of: table, and: columns), on: database)
        keys = try Statement("SELECT session, NULL\(columns) \(source)", on: database)
    }

    static func sql(_ source: String, of table: String, and columns: String = "") -> String {
        """
        SELECT session, (SELECT content FROM rows WHERE rows.session = \(table).session AND slot = 0)\(columns)
        \(source)
        """
    }
}
