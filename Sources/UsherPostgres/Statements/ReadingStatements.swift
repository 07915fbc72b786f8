import UsherJournal

/// The statements that read sessions and lists, each from one snapshot.
enum ReadingStatements {
    /// Selects a session's header, its entries from a revision on, and its responses, consistent with each other.
    static let record = """
        SELECT 0::int2, s.revision, s.mark, s.head, s.answers, s.access, s.leaked FROM usher.sessions s
            WHERE s.session = $1::uuid
        UNION ALL SELECT 1, e.revision, e.mark, e.content, 0, NULL, NULL FROM usher.entries e
            WHERE e.session = $1::uuid AND e.revision >= $2::int8
        UNION ALL SELECT 2, a.number, a.mark, a.content, 0, a.key, NULL FROM usher.answers a
            WHERE a.session = $1::uuid
        """

    static let creation = """
        SELECT content, revision FROM usher.entries WHERE session = $1::uuid ORDER BY revision LIMIT 1
        """

    static let opening = "SELECT session, content FROM usher.openings WHERE key = $1::bytea"

    static let idle = """
        SELECT session, head, revision, answers, access, leaked FROM usher.sessions
        WHERE touched <= $1::int8 AND ended IS NULL ORDER BY touched LIMIT $2::int8
        """

    static let count = "SELECT count(*) FROM usher.sessions WHERE ended IS NULL"

    /// Estimates the number of bytes that ended sessions still use, from a sample of pages if the table is large.
    static let residue = """
        WITH p AS (SELECT least(1, 512.0 * current_setting('block_size')::int8
            / greatest(1, pg_relation_size('usher.sessions'))) AS part)
        SELECT (coalesce(sum(length(s.head) + 32
            + (SELECT coalesce(sum(length(a.content) + 32), 0) FROM usher.answers a WHERE a.session = s.session)
            + (SELECT coalesce(sum(length(o.content) + 64), 0) FROM usher.openings o WHERE o.session = s.session)
        ), 0) / (SELECT part FROM p))::int8
        FROM usher.sessions s TABLESAMPLE SYSTEM ((SELECT 100 * part FROM p)) WHERE s.ended IS NOT NULL
        """

    /// Deletes the sessions that ended first, with all rows of these sessions.
    static let purge = """
        WITH d AS (SELECT session FROM usher.sessions WHERE ended < $1::int8 ORDER BY ended LIMIT $2::int8
            FOR UPDATE SKIP LOCKED),
        a AS (DELETE FROM usher.answers USING d WHERE answers.session = d.session),
        e AS (DELETE FROM usher.entries USING d WHERE entries.session = d.session),
        o AS (DELETE FROM usher.openings USING d WHERE openings.session = d.session),
        g AS (DELETE FROM usher.guilty USING d WHERE guilty.session = d.session),
        h AS (DELETE FROM usher.holds USING d WHERE holds.session = d.session),
        w AS (DELETE FROM usher.sessions USING d WHERE sessions.session = d.session RETURNING 1)
        SELECT count(*) FROM w
        """

    static let guilty = "SELECT number, session, content FROM usher.guilty ORDER BY number"

    /// Selects the newest number and the count of the guilty inputs, one of which changes whenever the inputs change,
    /// because numbers are never reused.
    static let guiltyVersion = "SELECT coalesce(max(number), 0), count(*) FROM usher.guilty"

    /// Adds a guilty input if it is new, and returns the number of guilty inputs before.
    ///
    /// The number of a guilty input is the time, so that a number is not reused after the newest input was deleted. If
    /// two inputs get the same number at the same time, the primary key rejects one of the inputs. A repeated statement
    /// has the same content as the first statement, because the content is sealed only once.
    static let addGuilty = """
        INSERT INTO usher.guilty
        SELECT greatest(coalesce(max(number), 0) + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::int8),
            $1::uuid, $2::bytea FROM usher.guilty
        HAVING NOT EXISTS (SELECT FROM usher.guilty
            WHERE session IS NOT DISTINCT FROM $1::uuid AND content = $2::bytea)
        RETURNING (SELECT count(*) FROM usher.guilty)
        """

    /// Deletes all guilty inputs except the newest; the parameter is the number of inputs that stay.
    static let trimGuilty = """
        DELETE FROM usher.guilty
        WHERE number <= (SELECT number FROM usher.guilty ORDER BY number DESC LIMIT 1 OFFSET $1::int8)
        """

    static let forgetGuilty = "DELETE FROM usher.guilty WHERE number = ANY ($1::int8[])"
}
