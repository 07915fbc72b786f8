/// The queue of a session's main thread: work for the end of the input, and the jobs of tasks, in the order in which they
/// came.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class MainQueue {
    private enum Element {
        case work(() throws -> Void)
        case job(SessionThread.Job)
    }

    nonisolated let thread = SessionThread()
    /// Set at the session's end: what waits then waits for ever.
    @safe @exclusivity(unchecked) private(set) var isClosed = false
    @safe @exclusivity(unchecked) private var elements: [Element] = []
    /// The jobs that go on in the turn of the one that runs: their task has changed its actor, or what it waited for is
    /// over.
    @safe @exclusivity(unchecked) private var jobs: [SessionThread.Job] = []
    @safe @exclusivity(unchecked) private var isRunningJob = false
    /// Set while a task is made: its first job has a turn of its own.
    @safe @exclusivity(unchecked) private var isBeginningTask = false
    private let tasks = TaskList()

    /// The jobs that one turn may have.
    private static let jobLimit = 100_000
    /// The rounds that tasks are given to end in when their session does, and the jobs that each turn may have then.
    private static let closingLimit = 64

    var isEmpty: Bool { elements.isEmpty }

    /// Adds work; after the session's end, releases the work at once, within the session.
    func add(_ work: @escaping () throws -> Void) {
        if !isClosed { elements.append(.work(work)) }
    }

    /// Adds a job that has a turn of its own, after all that is there.
    func addLast(job: @escaping SessionThread.Job) {
        elements.append(.job(job))
    }

    /// Adds a job of a task, from whichever thread.
    nonisolated func add(job: @escaping SessionThread.Job) {
        guard thread.isCurrent else {
            if thread.keep(job) { MainActor.assumeIsolated { runForeignJobs() } }
            return
        }
        MainActor.assumeIsolated { addInTurn(job) }
    }

    /// Runs what is there by now, and leaves what it adds for the next round.
    func runRound() throws {
        let round = takeElements()
        var next = 0
        // Tasks whose jobs are left are to end with the session.
        defer { if next < round.count { elements = round[next...] + elements } }
        while next < round.count {
            next += 1
            switch round[next - 1] {
            case .work(let work): try work()
            case .job(let job): try run(job, atMost: Self.jobLimit)
            }
        }
    }

    /// Takes a task that is about to be made, and whose first job is to have a turn of its own.
    func beginTask(_ task: RunningTask) {
        tasks.add(task)
        if isClosed { task.giveUp() }
        isBeginningTask = true
    }

    func didBeginTask() {
        isBeginningTask = false
    }

    /// Looks what tasks wait for, at the end of an input.
    ///
    /// - Throws: `Rejection` where one waits for what no input will bring.
    func checkTasks() throws {
        try tasks.check()
    }

    /// Ends the tasks: they are cancelled, and go on to their ends.
    ///
    /// Other work is done no more.
    func close() {
        isClosed = true
        for task in tasks.takeAll() { task.giveUp() }
        runToEnd()
    }

    /// Gives the tasks out, to be ended one by one.
    func takeTasks() -> [RunningTask] {
        isClosed = true
        return tasks.takeAll()
    }

    /// Ends a task, as at the session's end.
    func end(_ task: RunningTask) {
        task.giveUp()
        runToEnd()
    }

    /// Runs the jobs that other threads have brought, and leaves those to come to who brings them: the last that a session
    /// does.
    func runForeignJobs() {
        while let job = thread.takeForeign() {
            thread.run {
                elements.append(.job(job))
                runToEnd()
            }
        }
    }

    private func addInTurn(_ job: @escaping SessionThread.Job) {
        if isRunningJob && !isBeginningTask { jobs.append(job) } else { elements.append(.job(job)) }
    }

    /// Runs all jobs, and forgets all work.
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

    /// Runs a job, and then all that it leads to.
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
