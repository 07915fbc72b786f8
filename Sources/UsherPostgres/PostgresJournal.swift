package import UsherJournal

/// A journal in a PostgreSQL database, which several servers may share.
///
/// A session's changes are committed in groups by one of several threads, chosen by the session's key. Reads have their
/// own threads; a read of a session waits for the changes that this server submitted to the session before.
package final class PostgresJournal: ThreadedJournal {
    let pool: ConnectionPool
    let bell: Bell
    let node: ServerNode
    /// This server's lease, which a thread of the pool renews.
    let ownLease: Lease
    private let run: DatabaseEpoch?

    private init(
        _ pool: ConnectionPool, _ bell: Bell, _ node: ServerNode, _ lease: Lease, _ run: DatabaseEpoch?, promise: String
    ) {
        self.promise = promise
        self.pool = pool
        self.bell = bell
        self.node = node
        ownLease = lease
        self.run = run
    }

    deinit { bell.end() }

    package var peers: (any JournalPeers)? { self }

    /// The name of the database's run, if a crash of the database can lose acknowledged changes; otherwise nil.
    package var epoch: String? { run?.name }

    /// The crashes that an acknowledged change survives, in words for the log.
    package let promise: String?

    /// The counters of the journal's commits.
    package var metrics: JournalMetrics? { pool.context.counters.metrics }

    package var count: Int { pool.context.counters.count }

    // MARK: Changes

    /// Nil, because a server changes the journal.
    package var refusal: JournalError? { nil }

    /// Adds a change to the next group commit without waiting.
    package func submit(_ change: JournalChange) -> PendingCommit { pool.committing(change.key).submit(change) }

    // MARK: Reads

    /// Uses the contents on a thread that reads.
    ///
    /// If a session is given, all of its changes that this server submitted before are complete then.
    package func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await pool.read(key, body)
    }

    // MARK: Backups and closing

    /// Throws an error; the database has its own backups.
    package func backUp() async throws(JournalError) -> Backup {
        throw .unsupported("the journal is in a database; back that up by its own means (pg_basebackup, pg_dump)")
    }

    /// Commits the submitted changes, ends this server's lease, and closes the connections.
    package func close() async {
        await pool.closeCommitting()
        // Other servers can claim this server's work from now on.
        await bell.close()
        await pool.end(ownLease)
        await pool.closeReading()
    }
}

extension PostgresJournal {
    /// Opens a journal whose tables exist, and registers a server.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - server: The server.
    ///   - keys: The keys that encrypt contents before they leave the process; nil if contents are not encrypted.
    /// - Throws: `PostgresJournalError`.
    package static func open(
        _ location: PostgresLocation, as server: SharingServer, sealing keys: SealingKeys? = nil
    ) throws(PostgresJournalError) -> PostgresJournal {
        let node = ServerNode(server)
        let epoch = server.durability == .relaxed ? DatabaseEpoch() : nil
        let findings = try StartCheck(location, server.durability, keys).run(registering: node, epoch)
        let lease = Lease(node, from: findings.registration, findings.time)
        let missing = PostgresJournalError.unfit("\(location)", reason: "the system has no thread left for it")
        guard let bell = Bell() else { throw missing }
        let pool = try ConnectionPool(findings.location, server, keys, node, lease, epoch, bell)
        pool.context.counters.note(findings.count)
        // Connects before the bell does, because the journal works without the bell: notifications are only hints.
        pool.connect()
        guard bell.start(on: findings.location, as: node, while: { pool.hasConnection }) else { throw missing }
        return PostgresJournal(pool, bell, node, lease, epoch, promise: findings.promise)
    }
}
