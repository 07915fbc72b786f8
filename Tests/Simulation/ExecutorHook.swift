import Glibc
import UsherProcess

/// The hook of Swift's concurrency runtime for its global executor: it hands all tasks of the process to a scheduler.
final class ExecutorHook: @unchecked Sendable {  // because all runs on the scheduler's one thread
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    static let shared = ExecutorHook()

    /// The scheduler of the simulation that runs; nil for none, and then there must be no task.
    var scheduler: Scheduler?

    private init() {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return }
        unsafe symbol.assumingMemoryBound(to: Optional<Hook>.self).pointee = { job, _ in
            ExecutorHook.shared.scheduler?.enqueue(ReadyJob(job: job))
        }
    }
}

/// A job that can run, up to its next suspension.
struct ReadyJob {
    let job: UnownedJob
    /// The threads that its task prefers; nil for those of all tasks.
    var threads: SimulatedThreads?
    /// The executor of its task, where it runs under marks of its own.
    var marks: MarkingExecutor?

    func run() {
        if let marks {
            marks.run(job)
        } else if let threads {
            unsafe job.runSynchronously(on: threads.asUnownedTaskExecutor())
        } else {
            // No serial executor: what an executor of all tasks hands over.
            unsafe runJob(job, unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
        }
    }
}

@_silgen_name("swift_job_run")
private func runJob(_ job: UnownedJob, _ executor: UnownedSerialExecutor)

/// The threads of effects in a simulation, which has none.
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
