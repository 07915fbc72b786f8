import Usher

/// A task of a session that has started and not ended, with its waits.
// Unchecked because only code that handles the session's input uses this object, while the session's lock is held.
final class RunningTask: @unchecked Sendable {
    @TaskLocal
    private static var ofCode: RunningTask?

    /// The task whose code is running, or a child task's parent; nil on a thread that is not the session's.
    static var current: RunningTask? { UIKitSession.current == nil ? nil : ofCode }

    let file: StaticString
    let line: UInt
    private weak let session: UIKitSession?
    /// The number of suspensions of the task and its children that the session will end.
    private var waitCount = 0
    private(set) var isFinished = false
    /// A Boolean value that indicates whether the session has ended, after which a task no longer starts.
    private(set) var isGivenUp = false
    private var cancelTask: (@Sendable () -> Void)?
    private var continuations: [any OpenContinuation] = []
    /// The number of waits that the task may still begin after the session's end; each such wait ends immediately.
    private var lastWaits = 64

    init(in session: UIKitSession, _ file: StaticString, _ line: UInt) {
        self.session = session
        self.file = file
        self.line = line
    }

    /// The place where the task was created, for example `Shop/CartViewModel.swift:42`.
    var origin: String { "\(file):\(line)" }

    /// A Boolean value that indicates whether the task waits for something that its session cannot end.
    var isStuck: Bool { !isFinished && waitCount == 0 }

    var isOfCurrentSession: Bool { session.map { $0 === UIKitSession.current } ?? false }

    func run<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
        defer { finish() }
        return try await Self.$ofCode.withValue(self) { try await operation() }
    }

    /// Runs a wait of the current task, and counts it as a wait that the session will end.
    static func waiting<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let task = current
        task?.beginWait()
        defer { task?.endWait() }
        return try await body()
    }

    func beginWait() { waitCount += 1 }

    func endWait() { waitCount -= 1 }

    func add(_ continuation: any OpenContinuation) {
        continuations.append(continuation)
    }

    func remove(_ continuation: any OpenContinuation) {
        continuations.removeAll { $0 === continuation }
    }

    func began(_ cancel: @escaping @Sendable () -> Void) {
        if !isFinished { cancelTask = cancel }
    }

    private func finish() {
        isFinished = true
        cancelTask = nil
    }

    /// Cancels the task at the end of the session.
    func giveUp() {
        isGivenUp = true
        cancelTask?()
        for continuation in take(&continuations, leaving: []) { continuation.end() }
    }

    /// Uses one of the waits after the session's end; returns `false` if none is left, so that the task waits forever.
    func takeLastWait() -> Bool {
        lastWaits -= 1
        return lastWaits >= 0
    }
}

/// The tasks of a session.
// Exclusivity is unchecked, because no access runs code of the app.
@MainActor
final class TaskList {
    @safe @exclusivity(unchecked) private var tasks: [RunningTask] = []

    func add(_ task: RunningTask) {
        tasks.append(task)
    }

    /// Removes the tasks that have ended.
    ///
    /// - Throws: `Rejection` with the file and line of a task that waits for something that no input can end.
    func check() throws {
        guard !tasks.isEmpty else { return }
        tasks.removeAll(where: \.isFinished)
        if let stuck = tasks.first(where: \.isStuck) { throw TaskMisuse.suspension(of: stuck) }
    }

    func takeAll() -> [RunningTask] {
        defer { tasks = [] }
        return tasks
    }
}

/// The misuses of the queue and of tasks, which cause an input to fail.
enum TaskMisuse {
    static let endless = Rejection(
        .failed, "the app's tasks never finish, because they wait for each other")

    static func endlessQueue(after count: Int) -> Rejection {
        Rejection(
            .failed,
            "the app's main queue never becomes empty: work has added work \(count) times in one input; to repeat work, "
                + "use a Timer, or a Task that sleeps")
    }

    static func suspension(of task: RunningTask) -> Rejection {
        Rejection(
            .failed,
            """
            the Task at \(task.origin) waits for something outside of its session; a Task can wait only for a timer, an \
            effect, or a continuation or stream that the session resumes; use an Effect for results from elsewhere, and \
            Task.sleep for a pause
            """)
    }

    /// Returns the error of a call outside of the session; `origin` is the waiting task, or the stream's creator.
    static func foreign(_ call: String, origin: String) -> Rejection {
        Rejection(
            .failed,
            """
            \(call) was made outside of an input of its session, so nothing was resumed (\(origin)); use an Effect for results \
            from elsewhere, and resume in the effect's completion
            """)
    }

    /// Returns the error of a second resumption, in the words of Swift's runtime, which would end the process.
    static func secondResumption(_ function: String, origin: String) -> Rejection {
        Rejection(
            .failed,
            """
            SWIFT TASK CONTINUATION MISUSE: \(function) tried to resume its continuation more than once \
            (\(origin)); resume it exactly once
            """)
    }

    /// Returns the warning of a continuation that can no longer be resumed, in the words of Swift's runtime.
    static func leak(_ function: String, origin: String) -> String {
        """
        SWIFT TASK CONTINUATION MISUSE: \(function) leaked its continuation without resuming it. This may cause tasks \
        waiting on it to remain suspended forever. (\(origin))
        """
    }

    /// Returns the warning of a wait that the session's end cannot end.
    static func endless<Value>(_ function: String, _ type: Value.Type, origin: String) -> String {
        """
        withCheckedContinuation in \(function) (\(origin)) stays in memory if the session ends before the continuation is \
        resumed, because only a value of type \(type) can resume it; use withCheckedThrowingContinuation
        """
    }
}
