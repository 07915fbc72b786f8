import Glibc
import UsherProcess

/// The hook that Swift's concurrency runtime calls for its global executor.
///
/// The hook passes all jobs of the process to a scheduler.
final class ExecutorHook: @unchecked Sendable {  // because all runs on the scheduler's one thread
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    static let shared = ExecutorHook()

    /// The scheduler of the current simulation; nil if no simulation runs, in which case there must be no tasks.
    var scheduler: Scheduler?

    private init() {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return }
        unsafe symbol.assumingMemoryBound(to: Optional<Hook>.self).pointee = { job, _ in
            ExecutorHook.shared.scheduler?.enqueue(ReadyJob(job: job))
        }
    }
}

/// A job that is ready to run, up to its next suspension.
struct ReadyJob {
    let job: UnownedJob
    /// The preferred threads of the job's task; nil for the threads of all tasks.
    var threads: SimulatedThreads?
    /// The executor that sets marks for the job's task; nil if it has none.
    var marks: MarkingExecutor?

    func run() {
        if let marks {
            marks.run(job)
        } else if let threads {
            unsafe job.runSynchronously(on: threads.asUnownedTaskExecutor())
        } else {
            // Zeros stand for no serial executor, as for jobs of the global executor.
            unsafe runJob(job, unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
        }
    }
}

@_silgen_name("swift_job_run")
private func runJob(_ job: UnownedJob, _ executor: UnownedSerialExecutor)

/// The threads for effects, which a simulation does not have.
final class SimulatedThreads: ThreadedExecutor {
    private let scheduler: Scheduler

    init(_ scheduler: Scheduler) { self.scheduler = scheduler }

    let threadCount = 1

    func enqueue(_ job: consuming ExecutorJob) {
        scheduler.enqueue(ReadyJob(job: UnownedJob(job), threads: self))
    }

    func enqueue(_ job: UnownedJob, under marks: MarkingExecutor) {
        scheduler.enqueue(ReadyJob(job: job, marks: marks))
    }
}
