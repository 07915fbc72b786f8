import UsherJournal

/// The statements that write a group, each of which is one transaction and says which sessions it has written: who is
/// missing has lost.
///
/// Locks are taken in the order of the keys, so that groups of several servers do not come into deadlocks. No statement
/// changes a table twice.
enum GroupStatements {
    /// Takes the locks of all sessions that stand where their writers expect them.
    private static let locks = """
        l AS (SELECT s.session FROM usher.sessions s JOIN c USING (session)
            WHERE s.revision = c.base AND s.mark = c.mark AND s.answers = c.before AND s.ended IS NULL
            ORDER BY s.session FOR NO KEY UPDATE OF s)
        """

    private static let entries = """
        e AS (INSERT INTO usher.entries SELECT i.session, i.revision, $1, i.content
            FROM unnest($8::uuid[], $9::int8[], $10::bytea[]) AS i(session, revision, content) JOIN w USING (session))
        """

    /// Answers take the places of those that are sixteen older.
    private static func answers(from first: Int) -> String {
        """
        a AS (INSERT INTO usher.answers SELECT i.session, i.number % \(KeyedAnswer.limit), i.number, $1, i.key, i.content
            FROM unnest($\(first)::uuid[], $\(first + 1)::int8[], $\(first + 2)::bytea[], $\(first + 3)::bytea[])
                AS i(session, number, key, content) JOIN w USING (session)
            ON CONFLICT (session, place) DO UPDATE
                SET number = excluded.number, mark = excluded.mark, key = excluded.key, content = excluded.content)
        """
    }

    /// A divergence begins again what is pending, whoever owned it; the crashes of an effect stay counted.
    private static func work(from first: Int) -> String {
        """
        k AS (INSERT INTO usher.work AS present SELECT i.session, i.revision, i.place, i.due, i.owner
            FROM unnest($\(first)::uuid[], $\(first + 1)::int8[], $\(first + 2)::int8[], $\(first + 3)::int8[],
                $\(first + 4)::int8[]) AS i(session, revision, place, due, owner) JOIN w USING (session)
            ON CONFLICT (session, revision, place) DO UPDATE SET owner = excluded.owner,
                due = CASE WHEN present.due <= \(PeerStatements.crashLimit) THEN present.due ELSE excluded.due END)
        """
    }

    static let append = PostgresStatement(name: "append", sql: appending())

    /// As `append`, of sessions that have leaked: others do not pay for it.
    static let appendLeaked = PostgresStatement(
        name: "append leaked", sql: appending(", $21::int8[]", as: ", leaked", setting: ", leaked = c.leaked"))

    private static func appending(_ leaks: String = "", as column: String = "", setting: String = "") -> String {
        """
        WITH c AS (SELECT * FROM unnest($2::uuid[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::bytea[],
                $11::int8[]\(leaks)) AS c(session, base, mark, revision, answers, head, before\(column))),
        \(locks),
        w AS (UPDATE usher.sessions s
            SET revision = c.revision, mark = $1, answers = c.answers, head = c.head\(setting)
            FROM c JOIN l USING (session) WHERE s.session = c.session AND s.revision = c.base AND s.mark = c.mark
            RETURNING s.session),
        \(entries),
        \(answers(from: 12)),
        \(work(from: 16))
        SELECT session FROM w
        """
    }

    static let end = PostgresStatement(
        name: "end",
        sql: """
            WITH c AS (SELECT * FROM unnest($2::uuid[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::bytea[],
                    $8::int8[], $9::int8[], $10::int8[])
                AS c(session, base, mark, revision, answers, head, before, ended, untouched)),
            \(locks),
            w AS (UPDATE usher.sessions s
                SET revision = c.revision, mark = $1, answers = c.answers, head = c.head, ended = c.ended
                FROM c JOIN l USING (session)
                WHERE s.session = c.session AND s.revision = c.base AND s.mark = c.mark
                    AND (c.untouched IS NULL OR s.touched <= c.untouched)
                RETURNING s.session),
            e AS (DELETE FROM usher.entries e USING w WHERE e.session = w.session),
            k AS (DELETE FROM usher.work k USING w WHERE k.session = w.session),
            \(answers(from: 11))
            SELECT session FROM w
            """)

    static let create = PostgresStatement(
        name: "create",
        sql: """
            WITH c AS (SELECT * FROM unnest($2::uuid[], $3::int8[], $4::bytea[], $5::int8[], $6::bytea[], $7::bytea[],
                    $16::bytea[], $17::bytea[], $18::bytea[], $19::int8[], $20::int8[])
                AS c(session, revision, head, touched, key, opening, access, subject, app, created, leaked)),
            o AS (INSERT INTO usher.openings SELECT c.key, c.session, c.opening FROM c
                WHERE c.key IS NOT NULL AND NOT EXISTS (SELECT FROM usher.sessions s WHERE s.session = c.session)
                ORDER BY c.key ON CONFLICT DO NOTHING RETURNING session),
            w AS (INSERT INTO usher.sessions
                SELECT c.session, c.revision, $1, 0, c.head, c.touched, NULL, c.access, c.subject, c.app, c.created,
                    c.leaked FROM c
                WHERE c.key IS NULL OR c.session IN (SELECT session FROM o)
                ORDER BY c.session ON CONFLICT DO NOTHING RETURNING session),
            \(entries),
            \(work(from: 11))
            SELECT session FROM w
            """)

    /// Other tokens open sessions, which change in nothing else.
    static let grant = PostgresStatement(
        name: "grant",
        sql: """
            WITH c AS (SELECT * FROM unnest($2::uuid[], $3::int8[], $4::int8[], $5::int8[], $6::bytea[])
                AS c(session, base, mark, before, access)),
            \(locks),
            w AS (UPDATE usher.sessions s SET mark = $1, access = c.access FROM c JOIN l USING (session)
                WHERE s.session = c.session AND s.revision = c.base AND s.mark = c.mark RETURNING s.session)
            SELECT session FROM w
            """)

    /// The sessions whose rows no other transaction has locked: it waits for none of them, and for a table alone.
    static let free = PostgresStatement(
        name: "free",
        sql: """
            SELECT s.session FROM usher.sessions s WHERE s.session = ANY ($1::uuid[])
            ORDER BY s.session FOR NO KEY UPDATE OF s SKIP LOCKED
            """)

    /// The sessions of a group that bear its mark: it has written them, whatever became of its answer.
    static let own = PostgresStatement(
        name: "own",
        sql: """
            SELECT c.session FROM unnest($2::uuid[], $3::int8[]) AS c(session, revision)
            WHERE EXISTS (SELECT FROM usher.sessions s WHERE s.session = c.session AND s.mark = $1)
                OR EXISTS (SELECT FROM usher.entries e
                    WHERE e.session = c.session AND e.revision = c.revision AND e.mark = $1)
                OR EXISTS (SELECT FROM usher.answers a WHERE a.session = c.session AND a.mark = $1)
            """)
}

extension GroupedWrite.Kind {
    /// The statement that writes a group of this kind.
    var statement: PostgresStatement {
        switch self {
        case .append: GroupStatements.append
        case .appendLeaked: GroupStatements.appendLeaked
        case .create: GroupStatements.create
        case .grant: GroupStatements.grant
        case .end: GroupStatements.end
        }
    }

    /// The parameters of that statement.
    ///
    /// - Parameters:
    ///   - writes: The group, one for each session.
    ///   - mark: The statement's mark.
    ///   - seal: Seals what may hold a secret.
    /// - Throws: `PostgresFailure` where it cannot be sealed.
    func parameters(
        of writes: [GroupedWrite], mark: UInt64, sealing seal: ContentSeal
    ) throws(PostgresFailure) -> Parameters {
        var parameters = Parameters()
        parameters.integer(mark)
        parameters.keys(writes.map(\.key))
        if self == .create {
            try parameters.addBeginnings(of: writes, sealing: seal)
            return parameters
        }
        parameters.integers(writes.map { $0.base?.revision ?? 0 })
        parameters.marks(writes.map { $0.base?.mark ?? 0 })
        if self == .grant {
            parameters.integers(writes.map(\.expectedAnswers))
            parameters.bytes(ofEach: writes.map(\.access))
            return parameters
        }
        parameters.integers(writes.map(\.header.revision))
        parameters.integers(writes.map(\.header.answers))
        parameters.bytes(
            ofEach: try writes.map { write throws(PostgresFailure) in try write.head(sealedBy: seal) })
        if self == .append || self == .appendLeaked {
            try parameters.addEntries(of: writes, sealing: seal)
            parameters.integers(writes.map(\.expectedAnswers))
            try parameters.addAnswers(of: writes, sealing: seal)
            parameters.addWork(of: writes)
            if self == .appendLeaked { parameters.integers(writes.map(\.header.leaked)) }
        } else {
            parameters.integers(writes.map(\.expectedAnswers))
            parameters.integers(writes.map { Int64?($0.header.ending?.time ?? $0.header.time) })
            parameters.integers(writes.map(\.untouchedSince))
            try parameters.addAnswers(of: writes, sealing: seal)
        }
        return parameters
    }
}

extension GroupedWrite {
    /// The header's bytes but for what has columns, sealed where an end has more to tell than the session's course.
    fileprivate func head(sealedBy seal: ContentSeal) throws(PostgresFailure) -> [UInt8] {
        let bytes = header.bytes(of: key, apartFromColumns: true)
        guard let ending = header.ending, !ending.details.isEmpty else { return bytes }
        return try seal.seal(bytes, for: .head(key))
    }

    /// The bytes of the header's access; nil where it has none.
    fileprivate var access: [UInt8]? { header.access?.bytes(of: key) }
}

extension Parameters {
    /// Adds the rows of sessions that begin.
    fileprivate mutating func addBeginnings(
        of writes: [GroupedWrite], sealing seal: ContentSeal
    ) throws(PostgresFailure) {
        integers(writes.map(\.header.revision))
        bytes(ofEach: writes.map { $0.header.bytes(of: $0.key, apartFromColumns: true) })
        integers(writes.map { Int64?($0.header.time) })
        bytes(ofEach: writes.map { $0.opening.map { Array($0.key.utf8) } })
        bytes(
            ofEach: try writes.map { write throws(PostgresFailure) -> [UInt8]? in
                guard let opening = write.opening else { return nil }
                return try seal.seal(opening.bytes(of: write.key), for: .opening(write.key, under: opening.key))
            })
        try addEntries(of: writes, sealing: seal)
        addWork(of: writes)
        bytes(ofEach: writes.map(\.access))
        bytes(ofEach: writes.map { $0.header.access?.subject.map { Array($0.utf8) } })
        bytes(ofEach: writes.map { Array($0.header.app.utf8) })
        integers(writes.map { Int64?($0.header.created) })
        // The indexes of those that have leaked hold no others.
        integers(writes.map { $0.header.leaked == 0 ? nil : Int64($0.header.leaked) })
    }

    fileprivate mutating func addEntries(
        of writes: [GroupedWrite], sealing seal: ContentSeal
    ) throws(PostgresFailure) {
        let entries = writes.flatMap { write in write.entries.map { (key: write.key, entry: $0) } }
        keys(entries.map(\.key))
        integers(entries.map(\.entry.revision))
        bytes(
            ofEach: try entries.map { row throws(PostgresFailure) in
                try seal.seal(row.entry.content, for: .entry(row.key, revision: row.entry.revision))
            })
    }

    /// Adds the newest answers: no two of a session have the same place.
    fileprivate mutating func addAnswers(
        of writes: [GroupedWrite], sealing seal: ContentSeal
    ) throws(PostgresFailure) {
        let answers = writes.flatMap { write in
            write.answers.suffix(KeyedAnswer.limit).map { (key: write.key, number: $0.number, answer: $0.answer) }
        }
        keys(answers.map(\.key))
        integers(answers.map(\.number))
        bytes(ofEach: answers.map { Array($0.answer.key.utf8) })
        bytes(
            ofEach: try answers.map { row throws(PostgresFailure) in
                try seal.seal(row.answer.bytes(of: row.key), for: .answer(row.key, under: row.answer.key))
            })
    }

    fileprivate mutating func addWork(of writes: [GroupedWrite]) {
        let work = writes.flatMap { write in write.work.map { (key: write.key, work: $0) } }
        keys(work.map(\.key))
        integers(work.map(\.work.piece.revision))
        integers(work.map(\.work.piece.place))
        integers(work.map { $0.work.due ?? 0 })
        integers(work.map(\.work.owner))
    }
}
