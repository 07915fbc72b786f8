/// The statements of a journal's storage, except those that list sessions.
enum SQL: Int, CaseIterable {
    case row, insertRow, updateRow, deleteRow, deleteEntries, deleteRows, rows, slice
    case session, insertSession, leakSession, touched, touchSession, endSession, wakeSession, deleteSession
    case opening, insertOpening, deleteOpenings, insertSubject, deleteSubject
    case guilty, insertGuilty, deleteGuilty, deleteGuiltyOfSession, trimGuilty
    case builds, noteBuild
    case holds, holdCounts, heldSessions, insertHold, deleteHold, deleteHoldsOfSession, deleteOldHolds
    case buffered, insertBuffered, deleteBuffered, begin, commit
    case count, due, kept, ends, ended

    var text: String {
        switch self {
        case .row: "SELECT content FROM rows WHERE session = ?1 AND slot = ?2"
        case .insertRow: "INSERT INTO rows VALUES (?1, ?2, ?3)"
        case .updateRow: "UPDATE rows SET content = ?3 WHERE session = ?1 AND slot = ?2"
        case .deleteRow: "DELETE FROM rows WHERE session = ?1 AND slot = ?2"
        case .deleteEntries: "DELETE FROM rows WHERE session = ?1 AND slot > 0"
        case .deleteRows: "DELETE FROM rows WHERE session = ?1"
        case .rows: "SELECT slot, content FROM rows WHERE session = ?1 AND slot <= ?2 ORDER BY slot"
        // Starts with the row that contains the revision.
        case .slice:
            """
            SELECT slot, content FROM rows
            WHERE session = ?1 AND slot >= coalesce(
                (SELECT max(slot) FROM rows WHERE session = ?1 AND slot BETWEEN 1 AND ?2), 1)
            ORDER BY slot LIMIT ?3
            """
        // Selects the time of a session's end, which is NULL while the session is alive.
        case .session: "SELECT ended FROM sessions WHERE session = ?1"
        case .insertSession: "INSERT INTO sessions VALUES (?1, ?2, NULL, NULL, ?3, ?4, ?5)"
        case .leakSession: "UPDATE sessions SET leaked = ?2 WHERE session = ?1"
        case .touched: "SELECT touched FROM sessions WHERE session = ?1"
        case .touchSession: "UPDATE sessions SET touched = ?2 WHERE session = ?1 AND touched < ?2 AND ended IS NULL"
        case .endSession: "UPDATE sessions SET ended = ?2, wake = NULL WHERE session = ?1"
        case .wakeSession: "UPDATE sessions SET wake = ?2 WHERE session = ?1"
        case .deleteSession: "DELETE FROM sessions WHERE session = ?1"
        case .opening: "SELECT session, content FROM openings WHERE key = ?1"
        case .insertOpening: "INSERT INTO openings VALUES (?1, ?2, ?3)"
        case .deleteOpenings: "DELETE FROM openings WHERE session = ?1"
        case .insertSubject: "INSERT INTO subjects VALUES (?1, ?2)"
        case .deleteSubject: "DELETE FROM subjects WHERE session = ?1"
        case .guilty: "SELECT number, session, content FROM guilty ORDER BY number"
        case .insertGuilty: "INSERT INTO guilty(session, content) VALUES (?1, ?2)"
        case .deleteGuilty: "DELETE FROM guilty WHERE number = ?1"
        case .deleteGuiltyOfSession: "DELETE FROM guilty WHERE session = ?1"
        // Deletes all guilty inputs except the newest. The parameter is the number of inputs that stay.
        case .trimGuilty:
            """
            DELETE FROM guilty
            WHERE number <= (SELECT number FROM guilty ORDER BY number DESC LIMIT 1 OFFSET ?1)
            """
        case .builds: "SELECT build, seen, confirmed FROM builds"
        // The recorded times never decrease.
        case .noteBuild:
            """
            INSERT INTO builds VALUES (?1, ?2, ?3) ON CONFLICT(build) DO UPDATE SET seen = max(seen, excluded.seen),
            confirmed = max(coalesce(confirmed, excluded.confirmed), coalesce(excluded.confirmed, confirmed))
            """
        case .holds:
            """
            SELECT session, content FROM holds WHERE build = ?1 AND session BETWEEN ?2 AND ?3 ORDER BY session LIMIT ?4
            """
        case .holdCounts: "SELECT kind, count(*) FROM holds WHERE build = ?1 GROUP BY kind"
        case .heldSessions: "SELECT session FROM holds"
        case .insertHold: "INSERT OR REPLACE INTO holds VALUES (?1, ?2, ?3, ?4)"
        case .deleteHold: "DELETE FROM holds WHERE build = ?1 AND session = ?2"
        case .deleteHoldsOfSession: "DELETE FROM holds WHERE session = ?1"
        case .deleteOldHolds: "DELETE FROM holds WHERE build IN (SELECT build FROM builds WHERE seen < ?1)"
        case .buffered: "SELECT position, sessions, entries, copy FROM recent ORDER BY position"
        case .insertBuffered: "INSERT INTO recent VALUES (?1, ?2, ?3, ?4)"
        case .deleteBuffered: "DELETE FROM recent WHERE position < ?1"
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        // Each count reads whole pages; checking each row would take a second per million sessions.
        case .count:
            """
            SELECT (SELECT count(*) FROM sessions) - (SELECT count(*) FROM sessions WHERE ended IS NOT NULL)
            """
        case .due:
            """
            SELECT wake, session FROM sessions WHERE wake <= ?1 AND (wake, session) > (?2, ?3)
                AND NOT EXISTS (SELECT 1 FROM holds WHERE build = ?5 AND holds.session = sessions.session)
            ORDER BY wake, session LIMIT ?4
            """
        case .kept: "SELECT \(Self.size) FROM (SELECT ?1 AS subject)"
        // Selects the ended sessions after a place in the count, with the bytes that these sessions still use.
        case .ends:
            """
            SELECT ended, subject, \(Self.size) FROM (
                SELECT ended, session AS subject FROM sessions
                WHERE ended IS NOT NULL AND (ended, session) > (?1, ?2) ORDER BY ended, session LIMIT ?3)
            """
        case .ended: "SELECT session, ended FROM sessions WHERE ended < ?1 ORDER BY ended LIMIT ?2"
        }
    }

    /// The SQL expression for the number of bytes of the session `subject`, without its entries.
    private static let size = """
        (SELECT coalesce(sum(length(content) + 32), 0) FROM rows WHERE rows.session = subject AND slot <= 0)
        + (SELECT coalesce(sum(length(content) + 64), 0) FROM openings WHERE openings.session = subject)
        """
}

struct Statements {
    private let all: [Statement]
    let idle: ListStatement

    init(_ database: Database) throws(SQLiteFailure) {
        all = try SQL.allCases.map { sql throws(SQLiteFailure) in try Statement(sql.text, on: database) }
        idle = try ListStatement(
            "FROM sessions WHERE touched <= ?1 AND ended IS NULL ORDER BY touched LIMIT ?2", of: "sessions",
            on: database)
    }

    subscript(sql: SQL) -> Statement { all[sql.rawValue] }
}

/// A statement that lists sessions; each row starts with a key and a header.
struct ListStatement {
    let rows: Statement
    /// The same statement without headers, for a damaged page of headers: `rows` then ends early, and leaves out
    /// sessions on undamaged pages.
    let keys: Statement

    /// Prepares both statements, with the SQL from `FROM` on, and additional columns that each follow a comma.
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
