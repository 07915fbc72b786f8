import Synchronization
import UsherJournal
import UsherProcess

/// A thread with a connection of its own, which commits what queues up for it, and runs jobs on it.
final class ConnectionWorker: Sendable {
    /// A use of the connection.
    typealias Job = @Sendable (DatabaseLink) -> Void

    /// The changes that one statement writes at most.
    static let groupLimit = 64

    private let mailbox = JournalMailbox<Job>(patience: nil, limit: ConnectionWorker.groupLimit)
    private let desk: ConnectionLending.Desk

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - link: The place at the database.
    ///   - context: What it commits with; nil where it commits nothing.
    ///   - lease: This server's lease, where this thread renews it.
    ///   - lending: The workers with which it shares its connection; nil for none.
    /// - Returns: nil if the system has no thread for it.
    init?(
        _ link: sending DatabaseLink, committing context: CommitContext? = nil, renewing lease: Lease? = nil,
        sharing lending: ConnectionLending? = nil
    ) {
        let desk = ConnectionLending.Desk(mailbox)
        self.desk = desk
        let hasThread = SystemThread.start(
            { Self.run(desk, WorkerConnection(link, of: desk, borrowingFrom: lending), context, lease) },
            then: { desk.mailbox.closing.finish() })
        guard hasThread else { return nil }
        lending?.add(desk)
    }

    /// True while it has a connection of its own.
    var isConnected: Bool { desk.isConnected.load(ordering: .relaxed) }

    /// Begins to connect.
    ///
    /// - Returns: The gate that opens once it has, or could not.
    func connect() -> ThreadGate {
        let gate = ThreadGate()
        let isTaken = run { link in
            try? link.connect()
            gate.open()
        }
        if !isTaken { gate.open() }
        return gate
    }

    deinit { mailbox.close() }

    /// Takes a change in, without waiting.
    func submit(_ change: JournalChange) -> PendingCommit { mailbox.submit(change) }

    /// The changes that wait, and about the bytes that they take.
    var waiting: (changes: Int, bytes: Int) { mailbox.waiting }

    /// Waits until all is done that was submitted before.
    func settle() async {
        await mailbox.outstanding?.wait()
    }

    /// Uses the connection, without waiting for the end of that.
    ///
    /// - Returns: False where the worker is closed.
    func run(_ job: @escaping Job) -> Bool { mailbox.ask(job) }

    /// Uses the connection.
    ///
    /// - Throws: `JournalError`.
    func ask<Answer: Sendable>(
        _ body: @escaping @Sendable (DatabaseLink) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            let isTaken = mailbox.ask { link in
                continuation.resume(returning: Result { () throws(JournalError) in try body(link) })
            }
            if !isTaken { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }

    /// Ends the thread once all is done that has come.
    func close() async {
        mailbox.close()
        await mailbox.closing.wait()
    }

    private static func run(
        _ desk: ConnectionLending.Desk, _ own: consuming WorkerConnection, _ context: CommitContext?, _ lease: Lease?
    ) {
        var connection = own
        let committer = context.map { Committer(connection.link, $0) }
        while true {
            renew(lease, on: &connection)
            switch desk.mailbox.next(maintenance: lease?.due) {
            case .work(let batch):
                if let context, let committer, !batch.changes.isEmpty {
                    let changes = batch.changes
                    let isLent = connection.lender()?.run { Committer($0, context).commit(changes) } ?? false
                    if !isLent { connection.useOwn { _ in committer.commit(changes) } }
                    desk.mailbox.failFollowers(of: batch.commit)
                }
                for job in batch.jobs {
                    renew(lease, on: &connection)
                    connection.use(job)
                }
                batch.commit?.finish()
            case .maintenance, .rest: break
            case .end: return connection.close()
            }
        }
    }

    /// Renews a lease that is due, also where there is always something to do, which maintenance would wait for.
    private static func renew(_ lease: Lease?, on connection: inout WorkerConnection) {
        if let lease, lease.isDue { connection.use { lease.beat(on: $0) } }
    }
}
