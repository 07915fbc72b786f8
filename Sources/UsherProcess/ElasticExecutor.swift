import Glibc

/// A task executor that has threads, and knows how many.
package protocol ThreadedExecutor: TaskExecutor {
    /// The number of threads now.
    var threadCount: Int { get }

    /// Takes a job in that runs under marks of its own.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - marks: The executor of its task, which runs it on one of the threads.
    func enqueue(_ job: UnownedJob, under marks: MarkingExecutor)
}

/// A task executor for work that may block its thread: a thread pool that grows while all its threads are held.
///
/// The pool of Swift's own tasks has a thread for each processor and no more; a few tasks that block would stop all others.
/// Here a job that waits longer than a moment gets a thread of its own, up to a limit. Threads that have nothing to do end.
package final class ElasticExecutor: ThreadedExecutor, @unchecked Sendable {  // because `lock` guards `pool`
    /// A job, the marks that it runs under, and the time since when it waits.
    fileprivate struct WaitingJob {
        let job: UnownedJob
        let marks: MarkingExecutor?
        let since: Int64
    }

    fileprivate struct Pool {
        var jobs: [WaitingJob] = []
        /// The index of the first job that still waits.
        var first = 0
        var threads = 0
        var idleThreads = 0
        /// True while a thread watches whether the others are held.
        var isWatched = false
        /// The time at which a job was last taken; at first, that of the pool's making.
        var lastTake = MonotonicClock.now

        var waiting: Int { jobs.count - first }
    }

    private let lock = ConditionLock()
    private var pool = Pool()
    private let limits: (base: Int, all: Int)

    /// The most threads of a pool, unless told.
    package static let defaultLimit = 128
    /// As many threads as there are processors, at least two: for work that computes.
    package static let processors = max(2, ProcessEnvironment.processorCount)
    /// In nanoseconds, how long an idle thread stays.
    private static let idleTime: Int64 = 5_000_000_000
    /// In nanoseconds, how long no job is taken, or one waits, before the threads count as held.
    private static let patience = (noTake: Int64(5_000_000), wait: Int64(20_000_000))
    /// In nanoseconds, how often that is looked at.
    private static let tick: Int64 = 2_000_000

    /// Makes a pool without threads; the first jobs bring them.
    ///
    /// - Parameter limit: The most threads.
    package init(limit: Int = ElasticExecutor.defaultLimit) {
        limits = (base: min(Self.processors, max(1, limit)), all: max(1, limit))
    }

    /// The number of threads now.
    package var threadCount: Int { withPool { $0.threads } }

    /// Takes a job in.
    package func enqueue(_ job: consuming ExecutorJob) {
        enqueue(WaitingJob(job: UnownedJob(job), marks: nil, since: MonotonicClock.now))
    }

    /// Takes a job in that runs under marks of its own.
    package func enqueue(_ job: UnownedJob, under marks: MarkingExecutor) {
        enqueue(WaitingJob(job: job, marks: marks, since: MonotonicClock.now))
    }

    private func enqueue(_ job: WaitingJob) {
        let step = withPool { pool -> Step in
            pool.jobs.append(job)
            if pool.waiting <= pool.idleThreads { return .wake }
            if pool.threads < limits.base {
                pool.threads += 1
                return .grow
            }
            guard !pool.isWatched, pool.threads < limits.all else { return .none }
            pool.isWatched = true
            return .watch
        }
        switch step {
        case .none: break
        case .wake: lock.signal()
        case .grow: startThread()
        case .watch: if !SystemThread.start({ [self] in watch() }) { withPool { $0.isWatched = false } }
        }
    }

    private enum Step {
        case none, wake, grow, watch
    }

    /// Starts a thread that is counted already; without one the jobs wait for the others.
    private func startThread() {
        if !SystemThread.start({ [self] in work() }) { withPool { $0.threads -= 1 } }
    }

    /// Runs jobs, on a thread of the pool, until there have been none for a while.
    private func work() {
        while let next = next() {
            if let marks = next.marks {
                marks.run(next.job)
            } else {
                unsafe next.job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    private func next() -> WaitingJob? {
        lock.lock()
        defer { lock.unlock() }
        let end = MonotonicClock.now + Self.idleTime
        while pool.waiting == 0 {
            guard MonotonicClock.now < end else {
                pool.threads -= 1
                return nil
            }
            pool.idleThreads += 1
            lock.wait(until: end)
            pool.idleThreads -= 1
        }
        pool.lastTake = MonotonicClock.now
        return pool.take()
    }

    /// Adds threads for as long as all are held, on a thread of its own.
    private func watch() {
        while true {
            SystemThread.pause(nanoseconds: Self.tick)
            let now = MonotonicClock.now
            let (isOver, isHeld) = withPool { pool -> (Bool, Bool) in
                guard pool.waiting > 0, pool.threads < limits.all else {
                    pool.isWatched = false
                    return (true, false)
                }
                guard Self.isHeld(pool, waitingSince: pool.jobs[pool.first].since, at: now) else {
                    return (false, false)
                }
                pool.threads += 1
                return (false, true)
            }
            if isHeld { startThread() }
            if isOver { return }
        }
    }

    /// Returns a Boolean value indicating whether all threads are held, so that a job which waits needs another.
    ///
    /// - Parameters:
    ///   - start: The time at which the job came.
    ///   - now: The time now, by the `MonotonicClock`.
    func isHeld(waitingSince start: Int64, at now: Int64) -> Bool {
        withPool { Self.isHeld($0, waitingSince: start, at: now) }
    }

    private static func isHeld(_ pool: Pool, waitingSince start: Int64, at now: Int64) -> Bool {
        pool.idleThreads == 0 && (now - start > patience.wait || now - pool.lastTake > patience.noTake)
    }

    private func withPool<Result>(_ body: (inout Pool) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&pool)
    }
}

extension ElasticExecutor.Pool {
    /// The job that has waited longest; there must be one.
    fileprivate mutating func take() -> ElasticExecutor.WaitingJob {
        defer {
            first += 1
            // All at once, so that taking a job costs the same however many wait.
            if first == jobs.count || first > 1_024 {
                jobs.removeFirst(first)
                first = 0
            }
        }
        return jobs[first]
    }
}

/// The threads of an executor for the tasks of one piece of work: a mark is set while one of them runs its code.
package final class MarkingExecutor: TaskExecutor {
    private let threads: any ThreadedExecutor
    private let begin: @Sendable () -> Void
    private let end: @Sendable () -> Void

    /// Makes an executor.
    ///
    /// - Parameters:
    ///   - threads: The threads.
    ///   - begin: Sets the mark of the thread that it is called on.
    ///   - end: Takes it away.
    package init(
        on threads: any ThreadedExecutor, begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) {
        self.threads = threads
        self.begin = begin
        self.end = end
    }

    /// Takes a job in.
    package func enqueue(_ job: consuming ExecutorJob) {
        threads.enqueue(UnownedJob(job), under: self)
    }

    /// Runs a job of one of the tasks, on one of the threads.
    ///
    /// - Parameter job: The job.
    package func run(_ job: UnownedJob) {
        begin()
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        end()
    }
}
