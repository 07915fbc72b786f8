import Glibc

/// A task executor with a known number of threads.
package protocol ThreadedExecutor: TaskExecutor {
    /// The current number of threads.
    var threadCount: Int { get }

    /// Enqueues a job that a thread runs while the marks of the job's executor are set.
    func enqueue(_ job: UnownedJob, under marks: MarkingExecutor)
}

/// A task executor for work that may block its thread: a thread pool that grows while all its threads are busy.
///
/// Swift's own pool has one thread per processor, so a few blocking tasks would stop all other tasks. In this pool, a
/// job that waits longer than a moment gets another thread, up to a limit. Idle threads end.
package final class ElasticExecutor: ThreadedExecutor, @unchecked Sendable {  // because `lock` guards `pool`
    /// A job, the executor that sets its mark, and the time since which the job has waited.
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
        /// Whether a thread runs `watch`, which starts more threads if all are busy.
        var isWatched = false
        /// The time at which a thread last took a job; initially the time of the pool's creation.
        var lastTake = MonotonicClock.now

        var waiting: Int { jobs.count - first }
    }

    private let lock = ConditionLock()
    private var pool = Pool()
    private let limits: (base: Int, all: Int)

    /// The default limit of threads.
    package static let defaultLimit = 128
    /// The number of threads for computing work: the number of processors, but at least two.
    package static let processors = max(2, ProcessEnvironment.processorCount)
    /// Nanoseconds after which an idle thread ends.
    private static let idleTime: Int64 = 5_000_000_000
    /// All threads count as busy if none of them has taken a job for `noTake` nanoseconds, or if one job has waited for
    /// `wait` nanoseconds.
    private static let patience = (noTake: Int64(5_000_000), wait: Int64(20_000_000))
    /// Nanoseconds between two checks whether all threads are busy.
    private static let tick: Int64 = 2_000_000

    /// Creates a pool without threads; the first jobs start threads, up to the limit.
    package init(limit: Int = ElasticExecutor.defaultLimit) {
        limits = (base: min(Self.processors, max(1, limit)), all: max(1, limit))
    }

    package var threadCount: Int { withPool { $0.threads } }

    package func enqueue(_ job: consuming ExecutorJob) {
        enqueue(WaitingJob(job: UnownedJob(job), marks: nil, since: MonotonicClock.now))
    }

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

    /// Starts a thread that is already counted; if the system cannot start it, the jobs wait for the other threads.
    private func startThread() {
        if !SystemThread.start({ [self] in work() }) { withPool { $0.threads -= 1 } }
    }

    /// Runs jobs on a thread of the pool, until there was no job during the idle time.
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

    /// Adds threads while all threads are busy; runs on a separate thread.
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

    /// Returns `true` if all threads are busy, so that a job enqueued at `start` (`MonotonicClock`) needs another
    /// thread.
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
    /// Removes and returns the job that has waited longest; there must be one.
    fileprivate mutating func take() -> ElasticExecutor.WaitingJob {
        defer {
            first += 1
            // Removes many jobs at once, because the cost of one removal depends on the number of waiting jobs.
            if first == jobs.count || first > 1_024 {
                jobs.removeFirst(first)
                first = 0
            }
        }
        return jobs[first]
    }
}

/// A task executor that runs its jobs on another executor's threads, and sets a mark while each job runs.
package final class MarkingExecutor: TaskExecutor {
    private let threads: any ThreadedExecutor
    private let begin: @Sendable () -> Void
    private let end: @Sendable () -> Void

    /// Creates an executor.
    ///
    /// - Parameters:
    ///   - threads: The executor whose threads run the jobs.
    ///   - begin: Sets the mark of the calling thread.
    ///   - end: Removes the mark.
    package init(
        on threads: any ThreadedExecutor, begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) {
        self.threads = threads
        self.begin = begin
        self.end = end
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        threads.enqueue(UnownedJob(job), under: self)
    }

    /// Runs a job of a task of this executor on the current thread.
    package func run(_ job: UnownedJob) {
        begin()
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        end()
    }
}
