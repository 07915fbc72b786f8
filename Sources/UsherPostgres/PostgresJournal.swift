package import UsherJournal

/// A journal in a PostgreSQL database, which several servers may share.
///
/// A session's changes go through one of its threads, by the session's key, which commits in groups. Reads have threads of
/// their own; one of a session waits for what was submitted of it here.
package final class PostgresJournal: PostgresReading {
    /// The settings of a journal's connections.
    package struct Settings: Sendable {
        /// The connections that commit.
        package var commitConnections = 4
        /// The connections that read.
        package var readConnections = 2
        /// The crashes that acknowledged changes survive.
        package var durability = Durability.sync
        /// The name of this server among those on the journal, the same after a restart.
        package var node = "usher"
        /// The build of this server.
        package var build = ""
        /// The keys with which contents are sealed before they leave the process; nil to seal nothing.
        package var sealing: SealingKeys?
        /// The random number that a supervisor gives to all its workers; nil without a supervisor.
        ///
        /// A new worker with the same number replaces its predecessor immediately.
        package var lineage: UInt64?

        /// The default settings.
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

    /// The other servers on this journal.
    package var peers: (any JournalPeers)? { others }

    /// The name of the database's run, where a crash of it can take back what was acknowledged.
    package var epoch: String? { run?.name }

    /// The crashes that an acknowledged change outlives, in words for the log.
    package let promise: String?

    /// The counters of its commits.
    package var metrics: JournalMetrics? { pool.context.counters.metrics }

    /// The number of sessions that have not ended.
    package var count: Int { pool.context.counters.count }

    // MARK: Changes

    /// Takes a change in, without waiting.
    package func submit(_ change: JournalChange) -> PendingCommit { pool.committing(change.key).submit(change) }

    // MARK: Reads

    /// Reads something; of a session, once all is done that was submitted of it here.
    package func read<Answer: Sendable>(
        _ key: JournalKey?, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await pool.read(key, body)
    }

    // MARK: What ended sessions leave

    /// Forgets sessions altogether that ended before a time.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        try await pool.read { reader throws(JournalError) in
            try reader.number(ReadingStatements.purge) {
                $0.integer(time)
                $0.integer(max(0, limit))
            }
        }
    }

    // MARK: Guilty inputs

    /// Adds a guilty input.
    package func add(_ input: GuiltyInput) async throws(JournalError) {
        try await pool.read { reader throws(JournalError) in try reader.add(input) }
    }

    /// Forgets guilty inputs, and those that are damaged.
    package func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) {
        try await pool.read { reader throws(JournalError) in try reader.forget(selection) }
    }

    // MARK: Builds

    /// Records that a server of a build is running.
    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        try await pool.read { reader throws(JournalError) in
            try reader.note(build, at: time, isConfirmed: isConfirmed)
        }
    }

    /// Changes the verdicts.
    package func change(_ change: HoldChange) async throws(JournalError) {
        try await pool.read { reader throws(JournalError) in try reader.change(change) }
    }

    // MARK: Backups, and the end

    /// Backups are the database's.
    package func backUp() async throws(JournalError) -> Backup {
        throw .unsupported("the journal is in a database; back that up by its own means (pg_basebackup, pg_dump)")
    }

    /// Commits what was submitted, leaves the other servers, and closes the connections.
    package func close() async {
        await pool.closeCommitting()
        await others.leave()
        await pool.closeReading()
    }
}

extension PostgresJournal {
    /// Opens a journal whose tables are there, and takes this server's place among those on it.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - settings: The settings of its connections.
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
        // First, because the rings of other servers are only hints: without them, all goes on.
        pool.connect()
        guard bell.start(on: findings.location, as: node, while: { pool.hasConnection }) else { throw missing }
        return PostgresJournal(
            pool, bell, PostgresPeers(pool, node, lease, bell), epoch, promise: findings.promise)
    }
}
