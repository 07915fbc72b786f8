package import UsherJournal

/// A journal in a PostgreSQL database, which several servers may share.
///
/// Several threads commit changes in groups; the key of a session determines the thread. Other threads read.
package final class PostgresJournal: ThreadedJournal {
    let pool: ConnectionPool
    let bell: Bell
    let node: ServerNode
    let ownLease: Lease
    private let run: DatabaseEpoch?

    /// Opens a journal whose tables exist, and registers a server; without keys, contents are not encrypted.
    ///
    /// - Throws: `PostgresJournalError`.
    package init(
        _ location: PostgresLocation, as server: SharingServer, sealing keys: SealingKeys? = nil
    ) throws(PostgresJournalError) {
        node = ServerNode(server)
        run = server.durability == .relaxed ? DatabaseEpoch() : nil
        let findings = try StartCheck(location, server.durability, keys).run(registering: node, run)
        (ownLease, promise) = (findings.lease, findings.promise)
        let missing = PostgresJournalError.unfit("\(location)", reason: "the system has no thread left for it")
        guard let bell = Bell() else { throw missing }
        let pool = try ConnectionPool(findings.location, server, keys, node, findings.lease, run, bell)
        (self.bell, self.pool) = (bell, pool)
        pool.context.note(findings.count)
        // Connects the pool before the bell connects. The journal works without the bell, because notifications are
        // only hints.
        pool.stock.connect()
        let mayConnect = { @Sendable in pool.stock.connections.granted > 0 }
        guard bell.start(on: findings.location, as: node, while: mayConnect) else { throw missing }
    }

    deinit { bell.end() }

    package var peers: (any JournalPeers)? { self }

    /// The name of the database's run, if a crash of the database can lose acknowledged changes; otherwise nil.
    package var epoch: String? { run?.name }

    /// A description, for the log, of the crashes that an acknowledged change survives.
    package let promise: String?

    /// The counters of the journal's commits.
    package var metrics: JournalMetrics? { pool.context.metrics }

    package var count: Int { pool.context.count }

    // MARK: Changes

    /// Nil, because a server changes the journal.
    package var refusal: JournalError? { nil }

    /// Adds a change to the next group commit without waiting.
    package func submit(_ change: JournalChange) -> PendingCommit { pool.committing(change.key).submit(change) }

    // MARK: Reads

    /// Uses the contents on a thread that reads, after all changes of the given session that this server has submitted.
    package func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await pool.read(key, body)
    }

    // MARK: Backups and closing

    /// Throws an error, because the database has its own backups.
    package func backUp() async throws(JournalError) -> Backup {
        throw .unsupported(
            "the journal is in a database; back the database up with its own tools (pg_basebackup, pg_dump)")
    }

    /// Commits the submitted changes, ends this server's lease, and closes the connections.
    package func close() async {
        await pool.closeCommitting()
        // Other servers can claim this server's work as soon as the lease has ended.
        await bell.close()
        _ = try? await pool.confirming.ask { [ownLease] link throws(JournalError) in ownLease.end(on: link) }
        await pool.closeReading()
    }
}
