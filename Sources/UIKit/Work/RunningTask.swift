import Usher

/// A task of a session that has begun and not ended, with what it waits for.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
final class RunningTask: @unchecked Sendable {
    @TaskLocal
    private static var ofCode: RunningTask?

    /// The task whose code runs, or of which it is a child; nil on another thread than its session's.
    static var current: RunningTask? { UIKitSession.current == nil ? nil : ofCode }

    let file: StaticString
    let line: UInt
    private weak let session: UIKitSession?
    /// The number of suspensions, of it or its children, that the session will end.
    private var waitCount = 0
    private(set) var isFinished = false
    /// Set at the end of the session: one that has not begun does not.
    private(set) var isGivenUp = false
    private var cancelTask: (@Sendable () -> Void)?
    /// The waits that are left to it once its session has ended: each ends at once.
    private var lastWaits = 64

    init(in session: UIKitSession, _ file: StaticString, _ line: UInt) {
        self.session = session
        self.file = file
        self.line = line
    }

    /// The place at which it was begun, such as `Shop/CartViewModel.swift:42`.
    var origin: String { "\(file):\(line)" }

    /// True for one that waits for what no session ends.
    var isStuck: Bool { !isFinished && waitCount == 0 }

    /// True where the session whose input is handled is its own.
    var isOfCurrentSession: Bool { session.map { $0 === UIKitSession.current } ?? false }

    /// Runs its code.
    func run<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
        defer { finish() }
        return try await Self.$ofCode.withValue(self) { try await operation() }
    }

    /// Counts a wait of the code that runs among those that its session ends.
    static func waiting<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let task = current
        task?.waitCount += 1
        defer { task?.waitCount -= 1 }
        return try await body()
    }

    func began(_ cancel: @escaping @Sendable () -> Void) {
        if !isFinished { cancelTask = cancel }
    }

    private func finish() {
        isFinished = true
        cancelTask = nil
    }

    /// Cancels it, at the end of the session.
    func giveUp() {
        isGivenUp = true
        cancelTask?()
    }

    /// Takes one of the waits that are left to it once its session has ended.
    ///
    /// - Returns: False for one that would wait for ever again and again.
    func takeLastWait() -> Bool {
        lastWaits -= 1
        return lastWaits >= 0
    }
}

/// The tasks of a session.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class TaskList {
    @safe @exclusivity(unchecked) private var tasks: [RunningTask] = []

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

    /// Gives them all out, to be ended.
    func takeAll() -> [RunningTask] {
        defer { tasks = [] }
        return tasks
    }
}

/// The misuses of the queue and of tasks, for which an input does not count.
enum TaskMisuse {
    /// Tasks that never come to rest.
    static let endless = Rejection(
        .failed, "the tasks of the app never come to rest: they wait for each other for ever")

    /// A queue that is never empty.
    static func endlessQueue(after count: Int) -> Rejection {
        Rejection(
            .failed,
            "the app's main queue never comes to rest: work has added work \(count) times in one input; a loop that "
                + "waits is a Timer, or a Task that sleeps")
    }

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
