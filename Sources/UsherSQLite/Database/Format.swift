/// The tables of a journal's database, and the marks of its file.
enum Format {
    /// "Ushr": the mark that tells a journal from other applications' databases.
    static let application: Int64 = 0x5573_6872
    /// The format that this build writes; it reads none that is newer.
    static let version: Int64 = 4

    /// Tables and indexes by their names, as SQLite keeps the statements that made them.
    ///
    /// `rows` has a session's header in slot 0, the entry of revision n in slot n, and its nth answer in slot -n. An
    /// entry's row may hold those of the revisions after it too. `recent` is the write buffer: entries that are not in
    /// `rows` yet, in the order in which they came; those count that are newer than their session's header. `sessions` is
    /// an index to list, expire and purge by, without reading rows; the header in slot 0 is the truth. No entry changes a
    /// row of it, unless the session has leaked with it or has something to do at another time. `guilty` has guilty
    /// inputs in the order in which they came; that of a creation has no session. `subjects` is an index, too: the live
    /// sessions of each user, by what their headers say.
    static let schema: [String: String] = [
        "guilty": "CREATE TABLE \(guilty)",
        "guilty_session": "CREATE INDEX guilty_session ON guilty(session)",
        "openings": """
        CREATE TABLE openings(key TEXT PRIMARY KEY, session BLOB NOT NULL, content BLOB NOT NULL) WITHOUT ROWID
        """,
        "openings_session": "CREATE INDEX openings_session ON openings(session)",
        "recent": "CREATE TABLE \(recent)",
        "rows": """
        CREATE TABLE rows(session BLOB NOT NULL, slot INTEGER NOT NULL, content BLOB NOT NULL, \
        PRIMARY KEY(session, slot)) WITHOUT ROWID
        """,
        "sessions": sessions(with: ", \(newColumns.joined(separator: ", "))"),
        "sessions_app": "CREATE INDEX sessions_app ON sessions(app) WHERE ended IS NULL",
        "sessions_app_created": "CREATE INDEX sessions_app_created ON sessions(app, created) WHERE ended IS NULL",
        "sessions_app_touched": "CREATE INDEX sessions_app_touched ON sessions(app, touched) WHERE ended IS NULL",
        "sessions_created": "CREATE INDEX sessions_created ON sessions(created) WHERE ended IS NULL",
        "sessions_leaked": "CREATE INDEX sessions_leaked ON sessions(session) WHERE \(leaked)",
        "sessions_leaked_created": "CREATE INDEX sessions_leaked_created ON sessions(created) WHERE \(leaked)",
        "sessions_leaked_touched": "CREATE INDEX sessions_leaked_touched ON sessions(touched) WHERE \(leaked)",
        "sessions_ended": "CREATE INDEX sessions_ended ON sessions(ended) WHERE ended IS NOT NULL",
        "sessions_wake": "CREATE INDEX sessions_wake ON sessions(wake) WHERE wake IS NOT NULL",
        "sessions_touched": "CREATE INDEX sessions_touched ON sessions(touched) WHERE ended IS NULL",
        "subjects": "CREATE TABLE \(subjects)",
        "subjects_session": "CREATE INDEX subjects_session ON subjects(session)",
    ]

    /// The columns that the fourth format has brought: those by which sessions are listed.
    private static let newColumns = ["app TEXT", "created INTEGER", "leaked INTEGER"]

    /// The condition for a session to be listed among those that have leaked.
    static let leaked = "leaked IS NOT NULL AND ended IS NULL"

    /// As SQLite keeps it, also where it has added the columns itself.
    private static func sessions(with columns: String) -> String {
        """
        CREATE TABLE sessions(session BLOB PRIMARY KEY, touched INTEGER NOT NULL, ended INTEGER, wake INTEGER\(columns)) \
        WITHOUT ROWID
        """
    }

    private static let recent = """
        recent(position INTEGER PRIMARY KEY, sessions BLOB NOT NULL, entries BLOB NOT NULL, \
        copy BLOB NOT NULL)
        """

    private static let guilty = "guilty(number INTEGER PRIMARY KEY, session BLOB, content BLOB NOT NULL)"

    private static let subjects = """
        subjects(subject TEXT NOT NULL, session BLOB NOT NULL, PRIMARY KEY(subject, session)) WITHOUT ROWID
        """

    /// The formats that brought the tables and indexes which the first had not.
    private static let additions: [String: Int64] = [
        "recent": 2, "guilty": 3, "guilty_session": 3, "subjects": 4, "subjects_session": 4, "sessions_app": 4,
        "sessions_app_created": 4, "sessions_app_touched": 4, "sessions_created": 4, "sessions_leaked": 4,
        "sessions_leaked_created": 4, "sessions_leaked_touched": 4,
    ]

    /// The tables and indexes of a format.
    static func schema(of version: Int64) -> [String: String] {
        var schema = schema.filter { additions[$0.key] ?? 1 <= version }
        if !hasColumns(version) { schema["sessions"] = sessions(with: "") }
        return schema
    }

    /// True where the table of sessions has the columns by which they are listed.
    static func hasColumns(_ version: Int64) -> Bool { version >= 4 }

    /// The statements that begin to make this format of an earlier one: the columns, which are to be filled then.
    static func beginUpgrade(from earlier: Int64) -> String {
        let columns = hasColumns(earlier) ? [] : newColumns
        return (["BEGIN EXCLUSIVE"] + columns.map { "ALTER TABLE sessions ADD COLUMN \($0)" }).joined(separator: "; ")
    }

    /// The statements that make what else an earlier format had not.
    static func endUpgrade(from earlier: Int64) -> String {
        let missing = schema.filter { additions[$0.key] ?? 1 > earlier }
        return "\(statements(missing)); PRAGMA user_version = \(version); COMMIT"
    }

    /// The statements that make the tables which an earlier format had not, in memory for as long as the file is open.
    static func substitutes(for earlier: Int64) -> String {
        let missing = [(recent, 2), (guilty, 3), (subjects, 4)].filter { $0.1 > earlier }
        return missing.map { "CREATE TEMP TABLE \($0.0)" }.joined(separator: "; ")
    }

    /// Tables before their indexes, for so their names are sorted.
    private static func statements(_ schema: [String: String]) -> String {
        schema.keys.sorted().compactMap { schema[$0] }.joined(separator: ";\n")
    }

    /// The statements that make an empty database a journal.
    static var creation: String {
        """
        BEGIN EXCLUSIVE;
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        \(statements(schema));
        COMMIT
        """
    }
}
