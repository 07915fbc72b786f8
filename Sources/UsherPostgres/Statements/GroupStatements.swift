import UsherJournal

/// The statements that write a group.
///
/// Each statement is one transaction, and returns the sessions that it has written. If the statement does not return a
/// session of the group, the session has a conflict. Every statement locks rows in the order of the keys, so that
/// groups of several servers do not deadlock. No statement changes a row twice.
enum GroupStatements {
    /// Locks all sessions whose records still have the expected version.
    private static let locks = """
        l AS (SELECT s.session FROM usher.sessions s JOIN c USING (session)
            WHERE s.revision = c.base AND s.mark = c.mark AND s.answers = c.before AND s.ended IS NULL
            ORDER BY s.session FOR NO KEY UPDATE OF s)
        """

    private static func entries(from first: Int) -> String {
        """
        e AS (INSERT INTO usher.entries SELECT i.session, i.revision, $1, i.content
            FROM unnest($\(first)::uuid[], $\(first + 1)::int8[], $\(first + 2)::bytea[])
                AS i(session, revision, content) JOIN w USING (session))
        """
    }

    /// Stores responses, each in place of the response whose number is lower by sixteen.
    private static func answers(from first: Int) -> String {
        """
        a AS (INSERT INTO usher.answers SELECT i.session, i.number % \(KeyedAnswer.limit), i.number, $1, i.key, i.content
            FROM unnest($\(first)::uuid[], $\(first + 1)::int8[], $\(first + 2)::bytea[], $\(first + 3)::bytea[])
                AS i(session, number, key, content) JOIN w USING (session)
            ON CONFLICT (session, place) DO UPDATE
                SET number = excluded.number, mark = excluded.mark, key = excluded.key, content = excluded.content)
        """
    }

    /// Adds work in place of existing rows, whichever server owns them, because pending work starts again after a
    /// divergence.
    private static func work(from first: Int) -> String {
        """
        k AS (INSERT INTO usher.work SELECT i.session, i.revision, i.place, i.due, i.owner
            FROM unnest($\(first)::uuid[], $\(first + 1)::int8[], $\(first + 2)::int8[], $\(first + 3)::int8[],
                $\(first + 4)::int8[]) AS i(session, revision, place, due, owner) JOIN w USING (session)
            ON CONFLICT (session, revision, place) DO UPDATE SET owner = excluded.owner, due = excluded.due)
        """
    }

    /// Writes the headers of the sessions whose records have the expected version, unless a server of the rival build
    /// is alive.
    private static func advance(
        _ types: String, _ columns: String, setting: String, if condition: String = ""
    ) -> String {
        """
        WITH c AS (SELECT * FROM unnest($2::uuid[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[],
                $8::bytea[], $9::bytea[], \(types))
            AS c(session, base, mark, before, revision, answers, head, rival, \(columns))),
        \(locks),
        w AS (UPDATE usher.sessions s SET revision = c.revision, mark = $1, answers = c.answers, head = c.head, \(setting)
            FROM c JOIN l USING (session)
            WHERE s.session = c.session AND s.revision = c.base AND s.mark = c.mark
                AND (c.rival IS NULL OR NOT EXISTS (
                    SELECT FROM usher.nodes n WHERE n.build = convert_from(c.rival, 'UTF8') AND \(ServerNode.isAlive("n"))))
                \(condition)
            RETURNING s.session)
        """
    }

    static let append = entering()

    /// Also deletes all work of the earlier history, because another server may own timers that this server has
    /// cancelled.
    static let startOver = entering(
        deleting: """
            o AS (DELETE FROM usher.entries o USING w WHERE o.session = w.session),
            t AS (DELETE FROM usher.work t USING w WHERE t.session = w.session),
            """)

    private static func entering(deleting: String = "") -> String {
        let headers = advance(
            "$10::int8[], $11::bytea[]", "leaked, access",
            setting: "leaked = c.leaked, access = coalesce(c.access, s.access)")
        return """
            \(headers),
            \(deleting)
            \(entries(from: 12)),
            \(answers(from: 15)),
            \(work(from: 19))
            SELECT session FROM w
            """
    }

    static let end = """
        \(advance(
            "$10::int8[], $11::int8[]", "ended, untouched", setting: "ended = c.ended",
            if: "AND (c.untouched IS NULL OR s.touched <= c.untouched)")),
        e AS (DELETE FROM usher.entries e USING w WHERE e.session = w.session),
        k AS (DELETE FROM usher.work k USING w WHERE k.session = w.session),
        h AS (DELETE FROM usher.holds h USING w WHERE h.session = w.session),
        \(answers(from: 12))
        SELECT session FROM w
        """

    static let create = """
        WITH c AS (SELECT * FROM unnest($2::uuid[], $3::int8[], $4::bytea[], $5::int8[], $6::bytea[], $7::bytea[],
                $8::bytea[], $9::bytea[], $10::bytea[], $11::int8[], $12::int8[])
            AS c(session, revision, head, touched, key, opening, access, subject, app, created, leaked)),
        o AS (INSERT INTO usher.openings SELECT c.key, c.session, c.opening FROM c
            WHERE c.key IS NOT NULL AND NOT EXISTS (SELECT FROM usher.sessions s WHERE s.session = c.session)
            ORDER BY c.key ON CONFLICT DO NOTHING RETURNING session),
        w AS (INSERT INTO usher.sessions
            SELECT c.session, c.revision, $1, 0, c.head, c.touched, NULL, c.access, c.subject, c.app, c.created,
                c.leaked FROM c
            WHERE c.key IS NULL OR c.session IN (SELECT session FROM o)
            ORDER BY c.session ON CONFLICT DO NOTHING RETURNING session),
        \(entries(from: 13)),
        \(work(from: 16))
        SELECT session FROM w
        """

    /// Selects the sessions whose rows no other transaction has locked; waits only if the whole table is locked.
    static let free = """
        SELECT s.session FROM usher.sessions s WHERE s.session = ANY ($1::uuid[])
        ORDER BY s.session FOR NO KEY UPDATE OF s SKIP LOCKED
        """

    /// Selects the sessions that an attempt without a response has written, because their rows have the group's mark.
    static let own = """
        SELECT c.session FROM unnest($2::uuid[], $3::int8[]) AS c(session, revision)
        WHERE EXISTS (SELECT FROM usher.sessions s WHERE s.session = c.session AND s.mark = $1)
            OR EXISTS (SELECT FROM usher.entries e
                WHERE e.session = c.session AND e.revision = c.revision AND e.mark = $1)
            OR EXISTS (SELECT FROM usher.answers a WHERE a.session = c.session AND a.mark = $1)
        """
}

extension GroupedWrite.Kind {
    /// The statement that writes a group of this kind; nil for erasures, because an erasure must read the rows first.
    var statement: String? {
        switch self {
        case .append: GroupStatements.append
        case .startOver: GroupStatements.startOver
        case .create: GroupStatements.create
        case .end: GroupStatements.end
        case .complete: SingleStatements.complete
        case .erase: nil
        case .touch: SingleStatements.touch
        }
    }

    /// Returns the parameters of the statement for a group with one write per session.
    ///
    /// - Throws: `PostgresFailure` if a content cannot be sealed.
    func parameters(
        of writes: [GroupedWrite], mark: UInt64, sealing seal: ContentSeal
    ) throws(PostgresFailure) -> [Parameter] {
        switch self {
        case .append, .startOver:
            let columns: [Parameter] = [
                .integers(writes.map(\.leaked)), .bytes(ofEach: writes.map { $0.access?.bytes(of: $0.key) }),
            ]
            return try writes.versions(mark, seal) + columns + writes.entryRows(seal) + writes.answerRows(seal)
                + writes.workRows
        case .create:
            return try writes.beginnings(mark, seal) + writes.entryRows(seal) + writes.workRows
        case .end:
            let columns: [Parameter] = [
                .integers(writes.map { $0.header.ending?.time ?? $0.header.time }),
                .integers(writes.map(\.untouchedSince)),
            ]
            return try writes.versions(mark, seal) + columns + writes.answerRows(seal)
        case .complete: return try writes.answerRows(seal)
        case .erase: return []
        case .touch: return [.keys(writes.map(\.key)), .integers(writes.map(\.use))]
        }
    }
}

extension GroupedWrite {
    /// Returns the header's bytes without the fields that have their own columns, sealed if the session's end has
    /// details.
    fileprivate func head(sealedBy seal: ContentSeal) throws(PostgresFailure) -> [UInt8] {
        let bytes = header.bytes(of: key, apartFromColumns: true)
        guard let ending = header.ending, !ending.details.isEmpty else { return bytes }
        return try seal.seal(bytes, for: .head(key))
    }

    /// The number of leaks; nil instead of 0, because the indexes of leaks must not contain sessions without leaks.
    fileprivate var leaked: Int64? { header.leaked == 0 ? nil : Int64(header.leaked) }

    fileprivate var use: Int64? {
        if case .touch(let time)? = changes.first?.action { time } else { nil }
    }
}

extension [GroupedWrite] {
    /// Returns the columns of the sessions, each with the expected version of its record.
    fileprivate func versions(_ mark: UInt64, _ seal: ContentSeal) throws(PostgresFailure) -> [Parameter] {
        [
            .integer(mark), .keys(map(\.key)), .integers(map { $0.base?.revision ?? 0 }),
            .integers(map { $0.base?.mark ?? 0 }), .integers(map(\.expectedAnswers)), .integers(map(\.header.revision)),
            .integers(map(\.header.answers)),
            .bytes(ofEach: try map { write throws(PostgresFailure) in try write.head(sealedBy: seal) }),
            .texts(map { $0.rival.map { String($0, radix: 16) } }),
        ]
    }

    fileprivate func beginnings(_ mark: UInt64, _ seal: ContentSeal) throws(PostgresFailure) -> [Parameter] {
        let openings = try map { write throws(PostgresFailure) -> [UInt8]? in
            guard let opening = write.opening else { return nil }
            return try seal.seal(opening.bytes(of: write.key), for: .opening(write.key, under: opening.key))
        }
        return [
            .integer(mark), .keys(map(\.key)), .integers(map(\.header.revision)),
            .bytes(ofEach: map { $0.header.bytes(of: $0.key, apartFromColumns: true) }), .integers(map(\.header.time)),
            .texts(map(\.opening?.key)), .bytes(ofEach: openings),
            .bytes(ofEach: map { $0.header.access?.bytes(of: $0.key) }), .texts(map(\.header.access?.subject)),
            .texts(map(\.header.app)), .integers(map(\.header.created)), .integers(map(\.leaked)),
        ]
    }

    fileprivate func entryRows(_ seal: ContentSeal) throws(PostgresFailure) -> [Parameter] {
        let rows = flatMap { write in write.entries.map { (key: write.key, entry: $0) } }
        let contents = try rows.map { row throws(PostgresFailure) in
            try seal.seal(row.entry.content, for: .entry(row.key, revision: row.entry.revision))
        }
        return [.keys(rows.map(\.key)), .integers(rows.map(\.entry.revision)), .bytes(ofEach: contents)]
    }

    /// Returns the columns of the newest responses, so that no two responses of a session have the same place.
    fileprivate func answerRows(_ seal: ContentSeal) throws(PostgresFailure) -> [Parameter] {
        let rows = flatMap { write in
            write.answers.suffix(KeyedAnswer.limit).map { (key: write.key, number: $0.number, answer: $0.answer) }
        }
        let contents = try rows.map { row throws(PostgresFailure) in
            try seal.seal(row.answer.bytes(of: row.key), for: .answer(row.key, under: row.answer.key))
        }
        return [
            .keys(rows.map(\.key)), .integers(rows.map(\.number)), .texts(rows.map(\.answer.key)),
            .bytes(ofEach: contents),
        ]
    }

    fileprivate var workRows: [Parameter] {
        let rows = flatMap { write in write.work.map { (key: write.key, work: $0) } }
        return [
            .keys(rows.map(\.key)), .integers(rows.map(\.work.piece.revision)), .integers(rows.map(\.work.piece.place)),
            .integers(rows.map { $0.work.due ?? 0 }), .integers(rows.map(\.work.owner)),
        ]
    }
}
