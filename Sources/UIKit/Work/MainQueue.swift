/// The queue of a session's main thread: work for the end of the input, and the jobs of tasks, in the order in which they
/// came.
@MainActor
final class MainQueue {
    private enum Element {
        case work(() throws -> Void)
        case job(() -> Void)
    }

    private var turns: [Element] = []
    /// The jobs that go on in the turn of the one that runs: their task has changed its actor, or what it waited for is
    /// over.
    private var jobs: [() -> Void] = []
    private var isRunningJob = false
    /// Set while a task is made: its first job has a turn of its own.
    private var isBeginningTask = false
    private let tasks = TaskList()

    /// The jobs that one turn may have.
    private static let jobLimit = 100_000
    /// The rounds that tasks are given to end in when their session does.
    private static let closingLimit = 64

    var isEmpty: Bool { turns.isEmpty }

    func add(_ work: @escaping () throws -> Void) {
        turns.append(.work(work))
    }

    func add(job: @escaping () -> Void) {
        if isRunningJob && !isBeginningTask { jobs.append(job) } else { turns.append(.job(job)) }
    }

    /// Runs what is there by now, and leaves what it adds for the next round.
    func runRound() throws {
        for turn in takeTurns() {
            switch turn {
            case .work(let work): try work()
            case .job(let job): try run(job)
            }
        }
    }

    /// Takes a task whose first job is about to come.
    func beginTask(_ task: RunningTask) {
        tasks.add(task)
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
        tasks.cancelAll()
        for _ in 0..<Self.closingLimit where !turns.isEmpty {
            for case .job(let job) in takeTurns() { try? run(job) }
        }
        turns = []
    }

    /// Runs a job, and then all that it leads to.
    private func run(_ first: () -> Void) throws {
        isRunningJob = true
        defer { isRunningJob = false }
        first()
        var next = 0
        while next < jobs.count {
            guard next < Self.jobLimit else { throw TaskMisuse.endless }
            let job = jobs[next]
            job()
            next += 1
        }
        jobs = []
    }

    private func takeTurns() -> [Element] {
        var taken: [Element] = []
        swap(&taken, &turns)
        return taken
    }
}
