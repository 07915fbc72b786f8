import UsherJournal
import UsherProcess

/// The committing and reading threads of a journal, and the connections that they share.
final class ConnectionPool: Sendable {
    private let commits: [ConnectionWorker]
    /// The worker that runs short checks and renews the lease.
    let confirming: ConnectionWorker
    let reading: ConnectionWorker
    let stock: ConnectionStock
    private let location: PostgresLocation
    let context: CommitContext

    /// Starts the threads, or throws `PostgresJournalError` if the system has no thread left.
    init(
        _ location: PostgresLocation, _ server: SharingServer, _ keys: SealingKeys?, _ node: ServerNode, _ lease: Lease,
        _ epoch: DatabaseEpoch?, _ bell: Bell
    ) throws(PostgresJournalError) {
        self.location = location
        let committing = max(1, server.connections)
        // One link for each committing thread, and two for the other threads.
        let stock = ConnectionStock(
            (0..<(committing + 2)).map { _ in
                DatabaseLink(to: location, sealing: keys) {
                    connection, deadline throws(PostgresFailure) in
                    try ServerFitness.check(connection, for: server.durability, by: deadline)
                    try node.prepare(connection, under: lease.number, epoch, by: deadline)
                }
            })
        let mailboxes = (0..<committing).map { _ in ConnectionWorker.makeMailbox() }
        let metrics = JournalMetrics {
            mailboxes.map(\.waiting).reduce((0, 0)) { ($0.0 + $1.changes, $0.1 + $1.bytes) }
        }
        let context = CommitContext(metrics, bell)
        (self.stock, self.context) = (stock, context)
        commits = mailboxes.compactMap { ConnectionWorker(stock, $0, committing: context) }
        guard commits.count == committing, let confirming = ConnectionWorker(stock, renewing: lease),
            let reading = ConnectionWorker(stock)
        else { throw .unfit("\(location)", reason: "the system has no thread left for it") }
        (self.confirming, self.reading) = (confirming, reading)
    }

    func committing(_ key: JournalKey) -> ConnectionWorker {
        commits[Int(key.low % UInt64(commits.count))]
    }

    /// Reads data, after all changes of the given session that this server has submitted before.
    func read<Answer: Sendable>(
        _ key: JournalKey? = nil, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        if let key { await committing(key).settle() }
        return try await reading.ask { link throws(JournalError) in try body(Reader(link)) }
    }

    /// Counts the sessions that have not ended, on a separate connection, because other work must not wait for a long
    /// count.
    func countSessions() async throws(JournalError) -> Int {
        let patience = DatabaseLink.countingPatience
        let link = DatabaseLink(to: location, patience: patience) { connection, deadline throws(PostgresFailure) in
            // The database must stop the statement when this server no longer waits for it.
            try connection.execute("SET statement_timeout = \(patience / 1_000_000)", by: deadline)
        }
        guard let worker = ConnectionWorker(ConnectionStock([link])) else {
            throw .unavailable("the system has no thread to count the sessions")
        }
        return try await worker.ask { link throws(JournalError) in try Reader(link).number(ReadingStatements.count) }
    }

    /// Commits all pending changes, and ends the committing threads.
    func closeCommitting() async {
        for worker in commits { await worker.close() }
    }

    /// Ends the reading threads, and closes all connections.
    func closeReading() async {
        for worker in [confirming, reading] { await worker.close() }
        stock.close()
    }
}
