/// The statements for verdicts, each of which says that a build must not serve a session.
enum HoldStatements {
    /// Selects the verdicts that are still valid, because the record still has the version that the build has judged.
    static let standing = """
        FROM usher.holds h JOIN usher.sessions s USING (session) WHERE s.ended IS NULL
            AND (h.revision IS NULL OR h.revision = s.revision AND h.mark = s.mark)
        """

    static let list = """
        SELECT h.session, h.content \(standing) AND h.build = $1::text AND h.session BETWEEN $2::uuid AND $3::uuid
        ORDER BY h.session LIMIT $4::int8
        """

    static let counts = "SELECT h.kind, count(*) \(standing) AND h.build = $1::text GROUP BY h.kind"

    /// Stores a verdict, in place of an earlier verdict, if the session has not ended.
    static let hold = """
        INSERT INTO usher.holds SELECT s.session, $2::text, $3::int8, $4::int8, $5::text, $6::bytea
        FROM usher.sessions s WHERE s.session = $1::uuid AND s.ended IS NULL
        ON CONFLICT (build, session) DO UPDATE SET revision = excluded.revision, mark = excluded.mark,
            kind = excluded.kind, content = excluded.content
        """

    static let lift = "DELETE FROM usher.holds WHERE build = $1::text AND session = $2::uuid"

    /// Deletes the verdicts of builds that were last seen before a time.
    static let forgetOld =
        "DELETE FROM usher.holds WHERE build IN (SELECT build FROM usher.builds WHERE seen < $1::int8)"
}
