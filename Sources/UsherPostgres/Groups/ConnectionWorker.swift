import UsherJournal
import UsherProcess

/// A thread that commits queued changes and runs jobs, each on a connection of the stock.
final class ConnectionWorker: Sendable {
    /// A job on a connection; queued checks share a statement, and so do queued changes of the same kind to left work.
    enum Job: Sendable {
        case use(@Sendable (DatabaseLink) -> Void)
        case confirm(Confirmation)
        case leave(LeftWork)
    }

    private let mailbox: Mailbox

    typealias Mailbox = JournalMailbox<Job>

    /// Creates a mailbox for a worker; a batch has at most 64 changes.
    static func makeMailbox() -> Mailbox { Mailbox(patience: nil, limit: 64, sharesCommits: false) }

    /// Starts the thread; nil if the system has no thread left.
    ///
    /// Without a context, the thread commits nothing. Without a lease, the thread renews no lease.
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

    func submit(_ change: JournalChange) -> PendingCommit { mailbox.submit(change) }

    /// Waits until all changes that were submitted before this call are done.
    func settle() async {
        await mailbox.outstanding?.wait()
    }

    /// Queues a job without waiting for its end; returns `false` if the worker is closed.
    func run(_ job: Job) -> Bool { mailbox.ask(job) }

    func ask<Answer: Sendable>(
        _ body: @escaping @Sendable (DatabaseLink) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await mailbox.ask { end in .use { link in end(Result { () throws(JournalError) in try body(link) }) } }
    }

    /// Ends the thread after all queued work is done.
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
            // Lets other threads run, so that clients that have just received a response can send their next requests.
            // A busy server then combines more checks into one statement, and needs less than half as many statements.
            SystemThread.yield()
        }
        for case .use(let body) in jobs {
            renew(lease, with: stock)
            stock.use(body)
        }
    }

    /// Renews a lease that is due, even if the mailbox has no time for maintenance because its queue is never empty.
    private static func renew(_ lease: Lease?, with stock: ConnectionStock) {
        if let lease, lease.due <= MonotonicClock.now { stock.use { lease.beat(on: $0) } }
    }
}
