import UsherJournal

/// The columns by which sessions are listed, of sessions that servers of the build before have opened: they are filled in
/// with what the sessions' headers say, some at a time, while servers go on.
struct ListedColumns {
    private let run: (PostgresStatement, Parameters) throws(PostgresJournalError) -> ResultRows

    /// Sessions that are filled in by one statement.
    private static let stretch = 1_000

    private static let missing = PostgresStatement(
        name: "unlisted",
        sql: """
            SELECT session, head, touched FROM usher.sessions
            WHERE ended IS NULL AND created IS NULL AND ($1::uuid IS NULL OR session > $1::uuid)
            ORDER BY session LIMIT $2::int8
            """)

    /// Takes the locks in the order of the keys, as all groups do.
    private static let fill = PostgresStatement(
        name: "list",
        sql: """
            WITH c AS (SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::int8[]) AS c(session, app, created)),
            l AS (SELECT s.session FROM usher.sessions s JOIN c USING (session) WHERE s.created IS NULL
                ORDER BY s.session FOR NO KEY UPDATE OF s),
            w AS (UPDATE usher.sessions s SET app = c.app, created = c.created FROM c JOIN l USING (session)
                WHERE s.session = c.session RETURNING s.session)
            SELECT count(*) FROM w
            """)

    /// - Parameter run: Runs a statement as the tables' owner.
    init(_ run: @escaping (PostgresStatement, Parameters) throws(PostgresJournalError) -> ResultRows) {
        self.run = run
    }

    /// Fills in all that are missing; again, where it was interrupted.
    ///
    /// - Throws: `PostgresJournalError`.
    func complete() throws(PostgresJournalError) {
        var last: JournalKey?
        while true {
            var parameters = Parameters()
            if let last { parameters.key(last) } else { parameters.null() }
            parameters.integer(Self.stretch)
            let rows = try run(Self.missing, parameters)
            let found = rows.indices.compactMap { row in
                rows.key(row, 0).map {
                    (key: $0, head: try? SessionHeader(rows.bytes(row, 1), of: $0), touched: rows.integer(row, 2))
                }
            }
            guard let end = found.last?.key else { return }
            var filling = Parameters()
            filling.keys(found.map(\.key))
            filling.bytes(ofEach: found.map { $0.head.map { Array($0.app.utf8) } })
            // One that is damaged has no app, and counts as opened when it was touched last.
            filling.integers(found.map { $0.head?.created ?? $0.touched })
            _ = try run(Self.fill, filling)
            last = end
        }
    }
}
