/// The queue of a session's main thread: work for the end of the input and jobs of tasks, first in, first out.
// Exclusivity is unchecked, because no access runs code of the app.
@MainActor
final class MainQueue {
    private enum Element {
        case work(() throws -> Void)
        case job(SessionThread.Job)
    }

    nonisolated let thread = SessionThread()
    nonisolated let misuses = MisuseReports()
    /// A Boolean value that indicates whether the session is ending or has ended, so that no more work is added.
    @safe @exclusivity(unchecked) private(set) var isClosed = false
    @safe @exclusivity(unchecked) private var elements: [Element] = []
    /// The jobs that run in the turn of the current job, because their task has changed its actor or has ended a wait.
    @safe @exclusivity(unchecked) private var jobs: [SessionThread.Job] = []
    @safe @exclusivity(unchecked) private var isRunningJob = false
    /// A Boolean value that indicates whether a task is being created; the first job of a task has its own turn.
    @safe @exclusivity(unchecked) private var isBeginningTask = false
    private let tasks = TaskList()

    /// The maximum number of jobs in a turn.
    private static let jobLimit = 100_000
    /// When the session ends, the maximum number of rounds in which tasks run to their ends, and of jobs in each turn.
    private static let closingLimit = 64

    var isEmpty: Bool { elements.isEmpty }

    /// The value of `isClosed`, for code of the session's input that is not isolated to the actor.
    nonisolated var hasClosed: Bool { MainActor.assumeIsolated { isClosed } }

    /// Adds work; after the session's end, releases the work at once, within the session.
    func add(_ work: @escaping () throws -> Void) {
        if !isClosed { elements.append(.work(work)) }
    }

    /// Adds a job with its own turn at the end of the queue.
    func addLast(job: @escaping SessionThread.Job) {
        elements.append(.job(job))
    }

    /// Adds a job of a task, on any thread.
    nonisolated func add(job: @escaping SessionThread.Job) {
        guard thread.isCurrent else {
            if thread.keep(job) { MainActor.assumeIsolated { runForeignJobs() } }
            return
        }
        MainActor.assumeIsolated { addInTurn(job) }
    }

    /// Runs the elements that are in the queue now; elements that are added meanwhile run in the next round.
    func runRound() throws {
        let round = takeElements()
        var next = 0
        // Keep the jobs that did not run, because their tasks must end with the session.
        defer { if next < round.count { elements = round[next...] + elements } }
        while next < round.count {
            next += 1
            switch round[next - 1] {
            case .work(let work): try work()
            case .job(let job): try run(job, atMost: Self.jobLimit)
            }
        }
    }

    func beginTask(_ task: RunningTask) {
        tasks.add(task)
        if isClosed { task.giveUp() }
        isBeginningTask = true
    }

    func didBeginTask() {
        isBeginningTask = false
    }

    /// Checks the waits of tasks at the end of an input, and returns warnings for the client.
    ///
    /// - Throws: `Rejection` if a task waits for something that no input can end, or after a misuse of a continuation.
    func checkTasks() throws -> [String] {
        let warnings = try misuses.take()
        try tasks.check()
        return warnings
    }

    /// Cancels the tasks and runs them to their ends; other work does not run any more.
    func close() {
        isClosed = true
        for task in tasks.takeAll() { task.giveUp() }
        runToEnd()
    }

    /// Removes and returns the tasks, so that the caller can end the tasks one by one.
    func takeTasks() -> [RunningTask] {
        isClosed = true
        return tasks.takeAll()
    }

    /// Ends a task as the session's end would end the task.
    func end(_ task: RunningTask) {
        task.giveUp()
        runToEnd()
    }

    /// Runs the jobs of other threads as the session's last step; later jobs are run by the threads that add them.
    func runForeignJobs() {
        while let job = thread.takeForeign() {
            let former = thread.enter()
            defer { thread.leave(to: former) }
            elements.append(.job(job))
            runToEnd()
        }
    }

    private func addInTurn(_ job: @escaping SessionThread.Job) {
        if isRunningJob && !isBeginningTask { jobs.append(job) } else { elements.append(.job(job)) }
    }

    /// Runs all jobs, and removes all work.
    private func runToEnd() {
        for _ in 0..<Self.closingLimit where !elements.isEmpty || !jobs.isEmpty {
            let left = jobs
            jobs = []
            for case .job(let job) in left.map(Element.job) + takeElements() {
                try? run(job, atMost: Self.closingLimit)
            }
        }
        _ = takeElements()
    }

    /// Runs a job, and then all jobs that the first job causes.
    private func run(_ first: SessionThread.Job, atMost limit: Int) throws {
        isRunningJob = true
        defer { isRunningJob = false }
        first()
        var count = 0
        while !jobs.isEmpty {
            guard count < limit else { throw TaskMisuse.endless }
            let next = jobs
            jobs = []
            for job in next { job() }
            count += next.count
        }
    }

    private func takeElements() -> [Element] {
        var taken: [Element] = []
        swap(&taken, &elements)
        return taken
    }
}
