import UsherJournal
import UsherProcess

/// A thread that commits what queues up for it, and does jobs, each on a connection of the stock.
final class ConnectionWorker: Sendable {
    /// A job on the connection; those of a kind that have queued up are one statement.
    enum Job: Sendable {
        case use(@Sendable (DatabaseLink) -> Void)
        case confirm(Confirmation)
        case leave(LeftWork)
    }

    private let mailbox: Mailbox

    /// What queues up for a worker.
    typealias Mailbox = JournalMailbox<Job>

    /// Makes a mailbox; one statement writes at most 64 changes.
    static func makeMailbox() -> Mailbox { Mailbox(patience: nil, limit: 64, sharesCommits: false) }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - stock: The connections.
    ///   - mailbox: What queues up.
    ///   - context: What it commits with; nil where it commits nothing.
    ///   - lease: This server's lease, where this thread renews it.
    /// - Returns: nil if the system has no thread for it.
    init?(
        _ stock: ConnectionStock, _ mailbox: Mailbox = ConnectionWorker.makeMailbox(),
        committing context: CommitContext? = nil, renewing lease: Lease? = nil
    ) {
        self.mailbox = mailbox
        let hasThread = SystemThread.start(
            { Self.run(mailbox, stock, context, lease) }, then: { mailbox.closing.finish() })
        guard hasThread else { return nil }
    }

    deinit { mailbox.close() }

    /// Takes a change in, without waiting.
    func submit(_ change: JournalChange) -> PendingCommit { mailbox.submit(change) }

    /// Waits until all is done that was submitted before.
    func settle() async {
        await mailbox.outstanding?.wait()
    }

    /// Does a job, without waiting for its end.
    ///
    /// - Returns: False where the worker is closed.
    func run(_ job: Job) -> Bool { mailbox.ask(job) }

    /// Uses the connection.
    ///
    /// - Throws: `JournalError`.
    func ask<Answer: Sendable>(
        _ body: @escaping @Sendable (DatabaseLink) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            let isTaken = run(
                .use { link in continuation.resume(returning: Result { () throws(JournalError) in try body(link) }) })
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
        _ mailbox: Mailbox, _ stock: ConnectionStock, _ context: CommitContext?, _ lease: Lease?
    ) {
        while true {
            renew(lease, with: stock)
            switch mailbox.next(maintenance: lease?.due) {
            case .work(let batch):
                if let context, !batch.changes.isEmpty {
                    stock.use { Committer($0, context).commit(batch.changes) }
                    mailbox.failFollowers(of: batch)
                }
                perform(batch.jobs, with: stock, lease)
                batch.finish()
            case .maintenance, .rest: break
            case .end: return
            }
        }
    }

    private static func perform(_ jobs: [Job], with stock: ConnectionStock, _ lease: Lease?) {
        let left = jobs.compactMap { if case .leave(let work) = $0 { work } else { nil } }
        if !left.isEmpty { stock.use { LeftWork.leave(left, on: $0) } }
        let questions = jobs.compactMap { if case .confirm(let question) = $0 { question } else { nil } }
        if !questions.isEmpty {
            stock.use { Confirmation.answer(questions, on: $0) }
            // Clients that have their answers come back by then: a busy server needs less than half of the statements.
            SystemThread.yield()
        }
        for case .use(let body) in jobs {
            renew(lease, with: stock)
            stock.use(body)
        }
    }

    /// Renews a lease that is due, also where there is always something to do, which maintenance would wait for.
    private static func renew(_ lease: Lease?, with stock: ConnectionStock) {
        if let lease, lease.isDue { stock.use { lease.beat(on: $0) } }
    }
}
