/// The tables of a journal's database, and the marks of its file.
enum Format {
    /// "Ushr": the mark that tells a journal from other applications' databases.
    static let application: Int64 = 0x5573_6872
    /// The format that this build writes; it reads none that is newer.
    static let version: Int64 = 3

    /// Tables and indexes by their names, as SQLite keeps the statements that made them.
    ///
    /// `rows` has a session's header in slot 0, the entry of revision n in slot n, and its nth answer in slot -n. An
    /// entry's row may hold those of the revisions after it too. `recent` is the write buffer: entries that are not in
    /// `rows` yet, in the order in which they came; those count that are newer than their session's header. `sessions` is
    /// an index to list, expire and purge by, without reading rows; the header in slot 0 is the truth. `guilty` has guilty
    /// inputs in the order in which they came; that of a creation has no session.
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
        "sessions": """
        CREATE TABLE sessions(session BLOB PRIMARY KEY, touched INTEGER NOT NULL, ended INTEGER, wake INTEGER) \
        WITHOUT ROWID
        """,
        "sessions_ended": "CREATE INDEX sessions_ended ON sessions(ended) WHERE ended IS NOT NULL",
        "sessions_wake": "CREATE INDEX sessions_wake ON sessions(wake) WHERE wake IS NOT NULL",
        "sessions_touched": "CREATE INDEX sessions_touched ON sessions(touched) WHERE ended IS NULL",
    ]

    private static let recent = """
        recent(position INTEGER PRIMARY KEY, sessions BLOB NOT NULL, entries BLOB NOT NULL, \
        copy BLOB NOT NULL)
        """

    private static let guilty = "guilty(number INTEGER PRIMARY KEY, session BLOB, content BLOB NOT NULL)"

    /// The formats that brought the tables and indexes which the first had not.
    private static let additions: [String: Int64] = ["recent": 2, "guilty": 3, "guilty_session": 3]

    /// The tables and indexes of a format.
    static func schema(of version: Int64) -> [String: String] {
        schema.filter { additions[$0.key] ?? 1 <= version }
    }

    /// The statements that make what an earlier format had not: for good, or in memory for as long as the file is open.
    static func upgrade(from earlier: Int64, for purpose: Purpose) -> String {
        switch purpose {
        case .serving:
            let missing = schema.filter { additions[$0.key] ?? 1 > earlier }
            return "BEGIN EXCLUSIVE; \(statements(missing)); PRAGMA user_version = \(version); COMMIT"
        case .inspecting:
            let missing = [(recent, 2), (guilty, 3)].filter { $0.1 > earlier }
            return missing.map { "CREATE TEMP TABLE \($0.0)" }.joined(separator: "; ")
        }
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
