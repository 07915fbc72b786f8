import UsherJournal
import UsherProcess

/// The threads of a journal, those that commit and those that read, with the connections that they share.
final class ConnectionPool: Sendable {
    private let commits: [ConnectionWorker]
    private let reads: [ConnectionWorker]
    private let stock: ConnectionStock
    private let location: PostgresLocation
    /// What the threads that commit have in common.
    let context: CommitContext

    /// Starts the threads.
    ///
    /// - Throws: `PostgresJournalError` where the system has no thread for one.
    init(
        _ location: PostgresLocation, _ settings: PostgresJournal.Settings, _ node: ServerNode, _ lease: Lease,
        _ epoch: DatabaseEpoch?, _ bell: Bell
    ) throws(PostgresJournalError) {
        self.location = location
        let (committing, reading) = (max(1, settings.commitConnections), max(1, settings.readConnections))
        let fitness = ServerFitness(settings.durability)
        let stock = ConnectionStock(
            (0..<(committing + reading)).map { _ in
                DatabaseLink(to: location, sealing: settings.sealing) {
                    connection, deadline throws(PostgresFailure) in
                    try fitness.check(connection, by: deadline)
                    try node.prepare(connection, under: lease.number, epoch, by: deadline)
                }
            })
        let mailboxes = (0..<committing).map { _ in ConnectionWorker.makeMailbox() }
        let metrics = JournalMetrics {
            mailboxes.map(\.waiting).reduce((0, 0)) { ($0.0 + $1.changes, $0.1 + $1.bytes) }
        }
        let context = CommitContext(counters: CommitCounters(metrics), bell: bell, doubt: ClaimDoubt())
        (self.stock, self.context) = (stock, context)
        commits = mailboxes.compactMap { ConnectionWorker(stock, $0, committing: context) }
        reads = (0..<reading).compactMap { ConnectionWorker(stock, renewing: $0 == 0 ? lease : nil) }
        guard commits.count == committing, reads.count == reading else {
            throw .unfit("\(location)", reason: "the system has no thread for it")
        }
    }

    /// Connects, as far as the database grants connections.
    func connect() { stock.connect() }

    /// True while there is a connection, as far as is known.
    var hasConnection: Bool { connections.granted > 0 }

    /// The connections that there are, and those that are used if they can be had.
    var connections: (granted: Int, wanted: Int) { stock.connections }

    /// The worker that commits a session's changes.
    func committing(_ key: JournalKey) -> ConnectionWorker {
        commits[Int(key.low % UInt64(commits.count))]
    }

    /// The worker that answers short questions, and renews the lease.
    var confirming: ConnectionWorker { reads[0] }

    /// The worker that reads records and lists.
    var reading: ConnectionWorker { reads[reads.count - 1] }

    /// Reads something; of a session, once all is done that was submitted of it here.
    func read<Answer: Sendable>(
        _ key: JournalKey? = nil, _ body: @escaping @Sendable (Reader) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        if let key { await committing(key).settle() }
        return try await reading.ask { link throws(JournalError) in try body(Reader(link)) }
    }

    /// Counts the sessions that have not ended, over a connection of its own: with many it takes its time, and nothing else
    /// waits for it.
    ///
    /// - Throws: `JournalError`.
    func countSessions() async throws(JournalError) -> Int {
        let patience = DatabaseLink.countingPatience
        let link = DatabaseLink(to: location, patience: patience) { connection, deadline throws(PostgresFailure) in
            // The database does not go on for a server that has given up.
            try connection.execute("SET statement_timeout = \(patience / 1_000_000)", by: deadline)
        }
        guard let worker = ConnectionWorker(ConnectionStock([link])) else {
            throw .unavailable("the system has no thread to count the sessions")
        }
        return try await worker.ask { link throws(JournalError) in try Reader(link).number(ReadingStatements.count) }
    }

    /// Gives this server's lease back, once nothing is committed any more.
    func end(_ lease: Lease) async {
        _ = try? await confirming.ask { link throws(JournalError) in lease.end(on: link) }
    }

    /// Commits what has come, and ends those threads.
    func closeCommitting() async {
        for worker in commits { await worker.close() }
    }

    /// Ends the threads that read, and closes all connections.
    func closeReading() async {
        for worker in reads { await worker.close() }
        stock.close()
    }
}
