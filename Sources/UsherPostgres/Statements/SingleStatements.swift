import UsherJournal

/// The statements of the changes that do not expect a version of the record.
enum SingleStatements {
    /// Stores the times at which sessions were last used, and returns the sessions that exist.
    static let touch = """
        WITH c AS (SELECT * FROM unnest($1::uuid[], $2::int8[]) AS c(session, time)),
        l AS (SELECT s.session FROM usher.sessions s JOIN c USING (session)
            WHERE s.ended IS NULL AND s.touched < c.time ORDER BY s.session FOR NO KEY UPDATE OF s),
        w AS (UPDATE usher.sessions s SET touched = c.time FROM c JOIN l USING (session)
            WHERE s.session = c.session AND s.touched < c.time)
        SELECT c.session FROM c JOIN usher.sessions s USING (session)
        """

    static let complete = """
        UPDATE usher.answers a SET content = i.content
        FROM unnest($1::uuid[], $2::int8[], $3::bytea[], $4::bytea[]) AS i(session, number, key, content)
        WHERE a.session = i.session AND a.key = i.key
        """

    /// Selects the entries that may have secrets, if the history still contains the newest entry that the writer knows.
    static let erasable = """
        SELECT i.session, s.session IS NOT NULL, e.revision, e.mark, e.content
        FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::int8[]) AS i(session, revision, newest, mark)
        LEFT JOIN usher.sessions s USING (session)
        LEFT JOIN usher.entries e ON e.session = i.session AND e.revision = i.revision
            AND EXISTS (SELECT FROM usher.entries n
                WHERE n.session = i.session AND n.revision = i.newest AND n.mark = i.mark)
        """

    /// Replaces the content of the entries that no other write has replaced.
    static let rewrite = """
        UPDATE usher.entries e SET content = i.content
        FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::bytea[]) AS i(session, revision, mark, content)
        WHERE e.session = i.session AND e.revision = i.revision AND e.mark = i.mark
        """
}
