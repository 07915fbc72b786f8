package import UsherJournal

/// A journal in a PostgreSQL database, which several servers may share.
///
/// A session's changes are committed in groups by one of several threads, chosen by the session's key. Reads have their
/// own threads; a read of a session waits for the changes that this server submitted to the session before.
package final class PostgresJournal: PostgresThreads {
    /// The settings of a journal's connections.
    package struct Settings: Sendable {
        /// The number of connections that commit.
        package var commitConnections = 4
        /// The number of connections that read.
        package var readConnections = 2
        /// The crashes that an acknowledged change survives.
        package var durability = Durability.sync
        /// The name of this server among the journal's servers, which stays the same after a restart.
        package var node = "usher"
        package var build = ""
        /// The keys that encrypt contents before they leave the process; nil if contents are not encrypted.
        package var sealing: SealingKeys?
        /// The random number that a supervisor gives to all its workers; nil without a supervisor.
        ///
        /// With it, a new worker takes the place of an ended one immediately.
        package var lineage: UInt64?

        package init() {}
    }

    private let pool: ConnectionPool
    private let bell: Bell
    private let run: DatabaseEpoch?
    private let others: PostgresPeers

    private init(
        _ pool: ConnectionPool, _ bell: Bell, _ others: PostgresPeers, _ run: DatabaseEpoch?, promise: String
    ) {
        self.promise = promise
        self.pool = pool
        self.bell = bell
        self.run = run
        self.others = others
    }

    deinit { bell.end() }

    package var peers: (any JournalPeers)? { others }

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

    /// Reads data.
    ///
    /// If a session is given, the read runs after all of its changes that this server submitted before.
    package func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
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
        await others.leave()
        await pool.closeReading()
    }
}

extension PostgresJournal {
    /// Opens a journal whose tables exist, and registers this server.
    ///
    /// - Throws: `PostgresJournalError`.
    package static func open(
        _ location: PostgresLocation, _ settings: Settings = Settings()
    ) throws(PostgresJournalError) -> PostgresJournal {
        let node = ServerNode(name: settings.node, build: settings.build, lineage: settings.lineage)
        let epoch = settings.durability == .relaxed ? DatabaseEpoch() : nil
        let findings = try StartCheck(location, settings.durability, settings.sealing).run(registering: node, epoch)
        let lease = Lease(node, from: findings.registration, findings.time)
        let missing = PostgresJournalError.unfit("\(location)", reason: "the system has no thread left for it")
        guard let bell = Bell() else { throw missing }
        let pool = try ConnectionPool(findings.location, settings, node, lease, epoch, bell)
        pool.context.counters.note(findings.count)
        // Connects before the bell does, because the journal works without the bell: notifications are only hints.
        pool.connect()
        guard bell.start(on: findings.location, as: node, while: { pool.hasConnection }) else { throw missing }
        return PostgresJournal(
            pool, bell, PostgresPeers(pool, node, lease, bell), epoch, promise: findings.promise)
    }
}
