import Synchronization
import UsherJournal
import UsherProcess

/// The workers of a journal that lend each other their connections, because the database may grant fewer than are asked for.
final class ConnectionLending: Sendable {
    /// What the others see of a worker.
    final class Desk: Sendable {
        /// What queues up for the worker.
        let mailbox: JournalMailbox<ConnectionWorker.Job>
        /// True while the worker has a connection, as far as it knows.
        let isConnected = Atomic(false)

        init(_ mailbox: JournalMailbox<ConnectionWorker.Job>) {
            self.mailbox = mailbox
        }
    }

    private let desks = Mutex<[Desk]>([])

    /// Adds a worker that lends; those that were added first do so first.
    func add(_ desk: Desk) { desks.withLock { $0.append(desk) } }

    private var lenders: [Desk] {
        desks.withLock(\.self).filter { $0.isConnected.load(ordering: .sequentiallyConsistent) }
    }

    /// True where some worker has a connection.
    var hasConnection: Bool { !lenders.isEmpty }

    /// Does a job on the connection and the thread of another worker, and waits for its end.
    ///
    /// A worker lends only while it has a connection, and borrows only while it has none, so no two wait for each other.
    ///
    /// - Returns: False where nobody has a connection.
    func run(_ job: @escaping ConnectionWorker.Job) -> Bool {
        for lender in lenders {
            let end = ThreadGate()
            let isTaken = lender.mailbox.ask { link in
                job(link)
                end.open()
            }
            guard isTaken else { continue }
            end.wait()
            return true
        }
        return false
    }
}

/// The connection that a worker's thread works with: its own, or another worker's while it gets none.
struct WorkerConnection: ~Copyable {
    /// The worker's own.
    let link: DatabaseLink
    private let desk: ConnectionLending.Desk
    private let lending: ConnectionLending?
    /// The next attempt to connect while others lend, by the `MonotonicClock`.
    private var due: Int64 = 0
    private var pause = Self.shortest

    private static let shortest: Int64 = 1_000_000_000
    private static let longest: Int64 = 60_000_000_000

    init(_ link: DatabaseLink, of desk: ConnectionLending.Desk, borrowingFrom lending: ConnectionLending?) {
        self.link = link
        self.desk = desk
        self.lending = lending
    }

    /// Does a job on the own connection, or on another worker's.
    mutating func use(_ job: @escaping ConnectionWorker.Job) {
        guard let lender = lender(), lender.run(job) else { return useOwn(job) }
    }

    /// Does something on the own connection.
    func useOwn(_ body: (DatabaseLink) -> Void) {
        body(link)
        note()
    }

    /// The workers to borrow from; nil while this one has a connection, or nobody has one.
    mutating func lender() -> ConnectionLending? {
        // Called only once for each use of the connection, because it makes a system call.
        link.noticeEnd()
        guard !link.isConnected, let lending, lending.hasConnection else { return nil }
        // Before others are asked, which may be about to ask this one.
        note()
        let now = MonotonicClock.now
        if due <= now {
            try? link.connect()
            note()
            rest(from: now)
        }
        return link.isConnected ? nil : lending
    }

    /// Delays the next attempt to connect, longer after each failure, and longest after a slow failure.
    ///
    /// A pooler can block an attempt for seconds, and the worker's sessions wait during that time.
    private mutating func rest(from start: Int64) {
        guard !link.isConnected else { return (due, pause) = (0, Self.shortest) }
        let now = MonotonicClock.now
        due = now + min(max(pause, (now - start) * 10), Self.longest)
        pause = min(pause * 2, Self.longest)
    }

    private func note() { desk.isConnected.store(link.isConnected, ordering: .sequentiallyConsistent) }

    /// Ends the worker: it lends no more.
    consuming func close() {
        desk.isConnected.store(false, ordering: .sequentiallyConsistent)
        link.close()
    }
}

/// A gate at which one thread waits until another opens it.
final class ThreadGate: Sendable {
    private let lock = ConditionLock()
    private let isOpen = Atomic(false)

    /// Lets the thread go on.
    func open() {
        lock.lock()
        isOpen.store(true, ordering: .releasing)
        lock.signal()
        lock.unlock()
    }

    /// Blocks the thread until the gate is open.
    func wait() {
        lock.lock()
        while !isOpen.load(ordering: .acquiring) { lock.wait(until: nil) }
        lock.unlock()
    }
}
