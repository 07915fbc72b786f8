import Synchronization
import UsherJournal
import UsherProcess

/// The connections of a journal, each with its thread: those that commit, and those that read.
final class ConnectionPool: Sendable {
    private let commits: [ConnectionWorker]
    private let reads: [ConnectionWorker]
    private let location: PostgresLocation

    /// Starts the threads.
    ///
    /// - Throws: `PostgresJournalError` where the system has no thread for one.
    init(
        _ location: PostgresLocation, _ settings: PostgresJournal.Settings, _ node: ServerNode, _ lease: Lease,
        _ epoch: DatabaseEpoch?, _ context: CommitContext
    ) throws(PostgresJournalError) {
        let (committing, reading) = (max(1, settings.commitConnections), max(1, settings.readConnections))
        var workers: [ConnectionWorker] = []
        let fitness = ServerFitness(settings.durability)
        let lending = ConnectionLending()
        for place in 0..<(committing + reading) {
            let link = DatabaseLink(to: location, sealing: settings.sealing) {
                connection, deadline throws(PostgresFailure) in
                try fitness.check(connection, by: deadline)
                try node.prepare(connection, under: lease.number, epoch, by: deadline)
            }
            let worker = ConnectionWorker(
                link, committing: place < committing ? context : nil, renewing: place == committing ? lease : nil,
                sharing: lending)
            guard let worker else { throw .unfit("\(location)", reason: "the system has no thread for it") }
            workers.append(worker)
        }
        self.location = location
        commits = Array(workers.prefix(committing))
        reads = Array(workers.dropFirst(committing))
    }

    /// Connects all workers, and waits until each has a connection, or was refused one.
    func connect() {
        for gate in (commits + reads).map({ $0.connect() }) { gate.wait() }
    }

    /// True while some worker has a connection, as far as it knows.
    var hasConnection: Bool { connections.granted > 0 }

    /// The connections that the workers have, and those that they use if they can.
    var connections: (granted: Int, wanted: Int) {
        let workers = commits + reads
        return (workers.count(where: \.isConnected), workers.count)
    }

    /// The changes that wait, and about the bytes that they take.
    var waiting: (changes: Int, bytes: Int) {
        commits.map(\.waiting).reduce((0, 0)) { ($0.0 + $1.changes, $0.1 + $1.bytes) }
    }

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
        guard let worker = ConnectionWorker(link) else {
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

    /// Ends the threads that read.
    func closeReading() async {
        for worker in reads { await worker.close() }
    }
}

/// The pool whose waiting changes are counted, once there is one.
final class PooledChanges: Sendable {
    private struct WeakPool: Sendable {
        weak let pool: ConnectionPool?
    }

    private let pool = Mutex(WeakPool(pool: nil))

    /// The changes that wait, and about the bytes that they take.
    var total: (changes: Int, bytes: Int) {
        pool.withLock { $0.pool?.waiting } ?? (0, 0)
    }

    func set(_ pool: ConnectionPool) {
        self.pool.withLock { $0 = WeakPool(pool: pool) }
    }
}
