/// The statements by which servers share a journal: confirmations, work, chores, builds and keys.
enum PeerStatements {
    /// Selects the records whose version is not the expected version.
    static let confirm = """
        SELECT c.number FROM unnest($1::uuid[], $2::int8[], $3::int8[]) WITH ORDINALITY
            AS c(session, revision, mark, number)
        LEFT JOIN usher.sessions s USING (session)
        WHERE s.session IS NULL OR s.revision <> c.revision OR s.mark <> c.mark
        """

    /// Claims work that no living server owns, if the claiming lease is still valid.
    ///
    /// The servers are in a subquery, not in a join. If another server has just claimed a row, PostgreSQL would check a
    /// joined row again together with the *old* row of the server, and the work would be claimed twice. The excluded
    /// sessions are in a subquery, too, because PostgreSQL searches a subquery by hashes.
    static let claim = """
        UPDATE usher.work w SET owner = $1::int8 FROM (
            SELECT k.session, k.revision, k.place FROM usher.work k WHERE k.due <= $2::int8 AND (k.owner IS NULL
                OR k.owner <> ALL (ARRAY(SELECT node FROM usher.nodes n WHERE \(ServerNode.isAlive("n")))))
                AND EXISTS (SELECT FROM usher.nodes n WHERE node = $1::int8 AND \(ServerNode.isAlive("n")))
                AND k.session NOT IN (SELECT unnest($4::uuid[]))
                AND NOT EXISTS (SELECT \(HoldStatements.standing) AND h.session = k.session AND h.build = $5::text)
            ORDER BY k.due LIMIT $3::int8 FOR UPDATE OF k SKIP LOCKED) c
        WHERE (w.session, w.revision, w.place) = (c.session, c.revision, c.place)
        RETURNING w.session, w.revision, w.place
        """

    static let owned = "SELECT session, revision, place FROM usher.work WHERE owner = $1::int8"

    /// Deletes work, if the given leases still own it.
    ///
    /// If another server has claimed the work or started it again, the work stays, because it has not ended.
    static let release = leaving("DELETE FROM usher.work w USING l")

    /// Gives up work, if the given leases still own it, so that any server may claim the work.
    static let relinquish = leaving("UPDATE usher.work w SET owner = NULL FROM l")

    /// Changes work, if the given leases still own it, and returns one row for each skipped piece of work.
    ///
    /// The statement skips rows that another transaction has locked, because waiting for such rows could cause a
    /// deadlock. The other transaction probably ends the session, or starts the work again.
    private static func leaving(_ change: String) -> String {
        """
        WITH i AS (SELECT * FROM unnest($1::uuid[], $2::int8[], $3::int8[], $4::int8[])
                AS i(session, revision, place, owner)),
        l AS (SELECT w.session, w.revision, w.place FROM usher.work w JOIN i USING (session, revision, place, owner)
            FOR UPDATE OF w SKIP LOCKED),
        d AS (\(change) WHERE (w.session, w.revision, w.place) = (l.session, l.revision, l.place))
        SELECT 1 FROM usher.work w JOIN i USING (session, revision, place, owner)
        LEFT JOIN l USING (session, revision, place) WHERE l.session IS NULL
        """
    }

    /// Reserves a chore, unless another server has a valid reservation.
    ///
    /// A reservation is not valid if it ends later than a reservation that is made now.
    static let take = taking(seconds: 60, or: "c.owner = excluded.owner OR")

    /// Reserves the chore of counting the sessions, if the last count, even one by this server, is almost a minute old.
    static let takeCount = taking(seconds: 50)

    private static func taking(seconds: Int, or condition: String = "") -> String {
        """
        INSERT INTO usher.chores AS c VALUES ($1::text, $2::int8, now() + interval '\(seconds) s', -1)
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
            WHERE \(condition) c.until NOT BETWEEN now() AND clock_timestamp() + interval '\(seconds) s'
        RETURNING 1
        """
    }

    /// Stores the number of sessions, which one server counts for all servers.
    ///
    /// The number and the time of the count are in one row, so that they always belong to the same count.
    static let noteCount = """
        INSERT INTO usher.chores AS c VALUES ('counted', $1::int8, clock_timestamp(), $2::int8)
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until, value = excluded.value
        """

    /// Selects the number of sessions that had not ended at the last count, and the time of the count.
    static let counted =
        "SELECT value, (extract(epoch FROM until) * 1000000)::int8 FROM usher.chores WHERE name = 'counted'"

    /// Records that a server of a build is running; a time before the recorded time changes nothing.
    static let noteBuild = """
        INSERT INTO usher.builds AS b VALUES ($1::text, $2::int8, $3::int8) ON CONFLICT (build) DO UPDATE
            SET seen = greatest(b.seen, excluded.seen), confirmed = greatest(b.confirmed, excluded.confirmed)
        """

    /// Selects the builds, each with the number of its living servers; the times may be missing in a build's first
    /// minute.
    static let builds = """
        SELECT build, coalesce(b.seen, 0), b.confirmed, coalesce(n.servers, 0) FROM usher.builds b FULL JOIN (
            SELECT build, count(*) AS servers FROM usher.nodes n WHERE \(ServerNode.isAlive("n")) GROUP BY build) n
            USING (build)
        """

    /// Selects the names of the keys with which rows were sealed.
    static let keys = "SELECT id FROM usher.keys ORDER BY since, id"

    /// Records a key with which rows are sealed from now on.
    static let noteKey = "INSERT INTO usher.keys VALUES ($1::text, now()) ON CONFLICT (id) DO NOTHING"

    /// Records that a build leaves a session to the build that wrote the session.
    static let noteRefusal = """
        INSERT INTO usher.refusals AS r VALUES ($1::uuid, $2::text, $3::text)
        ON CONFLICT (session, build) DO UPDATE SET writer = excluded.writer WHERE r.writer <> excluded.writer
        """

    /// Deletes the refusals in favor of builds that have no living server.
    static let forgetRefusals = """
        DELETE FROM usher.refusals r WHERE NOT EXISTS (
            SELECT FROM usher.nodes n WHERE n.build = r.writer AND \(ServerNode.isAlive("n")))
        """

    /// Selects, for each pair of builds, the number of live sessions that the first build leaves to the second, if a
    /// server of the second build is alive.
    static let refusals = """
        SELECT r.build, r.writer, count(*) FROM usher.refusals r JOIN usher.sessions s USING (session)
        WHERE s.ended IS NULL AND EXISTS (
            SELECT FROM usher.nodes n WHERE n.build = r.writer AND \(ServerNode.isAlive("n")))
        GROUP BY r.build, r.writer ORDER BY r.build, r.writer
        """

    static let nodes = """
        SELECT name, build, (extract(epoch FROM since) * 1000)::int8, (extract(epoch FROM until) * 1000)::int8
        FROM usher.nodes n WHERE \(ServerNode.isAlive("n")) ORDER BY name
        """
}
