import Usher

/// A task of a session that has begun and not ended, with what it waits for.
final class RunningTask: @unchecked Sendable {
    // Unchecked because only code of its session's input reaches it, under that session's lock.

    /// The task whose code runs, or of which it is a child.
    @TaskLocal
    static var current: RunningTask?

    let file: StaticString
    let line: UInt
    /// The number of suspensions, of it or its children, that the session will end.
    private var waitCount = 0
    private(set) var isFinished = false
    /// Set at the end of the session: one that has not begun does not.
    private(set) var isGivenUp = false
    private var cancelTask: (@Sendable () -> Void)?

    init(_ file: StaticString, _ line: UInt) {
        self.file = file
        self.line = line
    }

    /// The place at which it was begun, such as `Shop/CartViewModel.swift:42`.
    var origin: String { "\(file):\(line)" }

    /// True for one that waits for what no session ends.
    var isStuck: Bool { !isFinished && waitCount == 0 }

    func began(_ cancel: @escaping @Sendable () -> Void) {
        if !isFinished { cancelTask = cancel }
    }

    func finish() {
        isFinished = true
        cancelTask = nil
    }

    /// Cancels it, at the end of the session.
    func giveUp() {
        isGivenUp = true
        cancelTask?()
    }

    func beginWait() {
        waitCount += 1
    }

    func endWait() {
        waitCount -= 1
    }
}

/// The tasks of a session.
@MainActor
final class TaskList {
    private var tasks: [RunningTask] = []

    func add(_ task: RunningTask) {
        tasks.append(task)
    }

    /// Forgets the tasks that have ended.
    ///
    /// - Throws: `Rejection` where one waits for what no input will bring, with its file and line.
    func check() throws {
        guard !tasks.isEmpty else { return }
        tasks.removeAll(where: \.isFinished)
        if let stuck = tasks.first(where: \.isStuck) { throw TaskMisuse.suspension(of: stuck) }
    }

    /// Cancels them all, at the end of the session.
    func cancelAll() {
        let cancelled = tasks
        tasks = []
        for task in cancelled { task.giveUp() }
    }
}

/// The misuses of tasks, for which an input does not count.
enum TaskMisuse {
    /// Tasks that never come to rest.
    static let endless = Rejection(
        .failed, "the tasks of the app never come to rest: they wait for each other for ever")

    /// A suspension that is neither a timer nor an effect of the session.
    static func suspension(of task: RunningTask) -> Rejection {
        Rejection(
            .failed,
            """
            the Task at \(task.origin) waits for something that is neither a timer nor an effect of its session: what \
            comes from elsewhere is an Effect, and a pause is Task.sleep
            """)
    }
}
