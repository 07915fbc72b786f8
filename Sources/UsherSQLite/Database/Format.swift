/// The tables of a journal's database, and the marks of its file.
enum Format {
    /// "Ushr": the mark that distinguishes a journal from the databases of other applications.
    static let application: Int64 = 0x5573_6872
    /// The format that this build reads and writes.
    static let version: Int64 = 6

    /// The statements that create the tables and indexes, by the name of the table or index, exactly as SQLite stores
    /// them.
    ///
    /// - `rows` has a session's header in slot 0, the entry of revision n in slot n, and the session's nth response in
    ///   slot -n. The row of an entry may also contain the entries that follow it.
    /// - `recent` is the write buffer: entries that are not in `rows` yet, in the order of their arrival. An entry is
    ///   valid if it is newer than the session's header in `rows`.
    /// - `sessions` is an index for lists, expiry and purge, which therefore need not read `rows`. If the index differs
    ///   from the header in slot 0, the header is right. Only entries that make the session leak, or that change the
    ///   time at which the session must wake up, change this index.
    /// - `guilty` has guilty inputs, in the order of their arrival. For a creation, the session is NULL.
    /// - `builds` has the builds that have served the journal: 64 bits of each build's digest, and the times of its
    ///   last start and last confirmation.
    /// - `holds` has the verdicts of builds on sessions that they must not serve. A write to a session deletes the
    ///   verdicts on this session.
    /// - `subjects` is an index of each user's sessions.
    static let schema: [String: String] = [
        "builds": """
        CREATE TABLE builds(build INTEGER PRIMARY KEY, seen INTEGER NOT NULL, confirmed INTEGER)
        """,
        "guilty": "CREATE TABLE guilty(number INTEGER PRIMARY KEY, session BLOB, content BLOB NOT NULL)",
        "guilty_session": "CREATE INDEX guilty_session ON guilty(session)",
        "holds": """
        CREATE TABLE holds(build INTEGER NOT NULL, session BLOB NOT NULL, kind TEXT NOT NULL, content BLOB NOT NULL, \
        PRIMARY KEY(build, session)) WITHOUT ROWID
        """,
        "holds_session": "CREATE INDEX holds_session ON holds(session)",
        "openings": """
        CREATE TABLE openings(key TEXT PRIMARY KEY, session BLOB NOT NULL, content BLOB NOT NULL) WITHOUT ROWID
        """,
        "openings_session": "CREATE INDEX openings_session ON openings(session)",
        "recent": """
        CREATE TABLE recent(position INTEGER PRIMARY KEY, sessions BLOB NOT NULL, entries BLOB NOT NULL, \
        copy BLOB NOT NULL)
        """,
        "rows": """
        CREATE TABLE rows(session BLOB NOT NULL, slot INTEGER NOT NULL, content BLOB NOT NULL, \
        PRIMARY KEY(session, slot)) WITHOUT ROWID
        """,
        "sessions": """
        CREATE TABLE sessions(session BLOB PRIMARY KEY, touched INTEGER NOT NULL, ended INTEGER, wake INTEGER, app TEXT, \
        created INTEGER, leaked INTEGER) WITHOUT ROWID
        """,
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
        "subjects": """
        CREATE TABLE subjects(subject TEXT NOT NULL, session BLOB NOT NULL, PRIMARY KEY(subject, session)) WITHOUT ROWID
        """,
        "subjects_session": "CREATE INDEX subjects_session ON subjects(session)",
    ]

    static let leaked = "leaked IS NOT NULL AND ended IS NULL"

    /// The statements that create a journal in an empty database.
    static var creation: String {
        // Sorts by name, because the tables then come before their indexes.
        let statements = schema.keys.sorted().compactMap { schema[$0] }.joined(separator: ";\n")
        return """
            BEGIN EXCLUSIVE;
            PRAGMA application_id = \(application);
            PRAGMA user_version = \(version);
            \(statements);
            COMMIT
            """
    }
}
