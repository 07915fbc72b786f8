/// The tables of a journal's database, and the marks of its file.
enum Format {
    /// "Ushr": the mark that tells a journal from other applications' databases.
    static let application: Int64 = 0x5573_6872
    /// The format that this build writes; it reads none that is newer.
    static let version: Int64 = 2

    /// Tables and indexes by their names, as SQLite keeps the statements that made them.
    ///
    /// `rows` has a session's header in slot 0, the entry of revision n in slot n, and its nth answer in slot -n. An
    /// entry's row may hold those of the revisions after it too. `recent` is the write buffer: entries that are not in
    /// `rows` yet, in the order in which they came; those count that are newer than their session's header. `sessions` is
    /// an index to list, expire and purge by, without reading rows; the header in slot 0 is the truth.
    static let schema: [String: String] = [
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

    /// The tables and indexes of a format: the first had no `recent`.
    static func schema(of version: Int64) -> [String: String] {
        version == 1 ? schema.filter { $0.key != "recent" } : schema
    }

    /// The statements that make the table that the first format did not have: for good, or in memory for as long as it is open.
    static func upgrade(for purpose: Purpose) -> String {
        switch purpose {
        case .serving: "BEGIN EXCLUSIVE; CREATE TABLE \(recent); PRAGMA user_version = \(version); COMMIT"
        case .inspecting: "CREATE TEMP TABLE \(recent)"
        }
    }

    /// The statements that make an empty database a journal.
    static var creation: String {
        let tables = schema.keys.sorted().compactMap { schema[$0] }.joined(separator: ";\n")
        return """
            BEGIN EXCLUSIVE;
            PRAGMA application_id = \(application);
            PRAGMA user_version = \(version);
            \(tables);
            COMMIT
            """
    }
}
