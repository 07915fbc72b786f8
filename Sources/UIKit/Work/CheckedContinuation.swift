import Synchronization
import Usher

/// A continuation of a task, like Swift's.
///
/// In a session, an input of the session must resume the continuation, for example when the user taps a button or an
/// effect has ended, so that a replay resumes the continuation at the same point. If other code resumes the
/// continuation, or if the continuation is resumed twice, the input fails with the function, file and line of the task.
/// If the continuation is released without being resumed, the client gets a warning.
///
/// No function has parameters for a file and line, because the compiler would then prefer Swift's continuation.
public struct CheckedContinuation<T, E: Error>: Sendable {
    private let handle: ContinuationHandle<T, E>

    fileprivate init(_ handle: ContinuationHandle<T, E>) {
        self.handle = handle
    }

    /// Resumes the task, which receives a value.
    public func resume(returning value: sending T) {
        resume(with: .success(value))
    }

    /// Resumes the task, which throws an error.
    public func resume(throwing error: E) {
        resume(with: .failure(error))
    }

    /// Resumes the task with a result.
    public func resume(with result: sending Result<T, E>) {
        handle.resume(with: result)
    }

    /// Resumes the task with a result of any error type.
    public func resume<Failure: Error>(with result: sending Result<T, Failure>) where E == any Error {
        resume(with: result.mapError { $0 })
    }

    /// Resumes the task.
    public func resume() where T == Void {
        resume(with: .success(()))
    }
}

/// Suspends the task until its continuation is resumed, like Swift's function.
///
/// If the session ends first, the function returns a default value: `Void`, nil, false, zero, an empty string or array,
/// or the first case. For other types the client gets a warning, because the task would stay in memory: use
/// `withCheckedThrowingContinuation`.
///
/// The function has one parameter fewer than Swift's function, so that the compiler prefers this function.
nonisolated(nonsending)
    public func withCheckedContinuation<T>(
        function: String = #function, _ body: (CheckedContinuation<T, Never>) -> Void
    ) async -> sending T
{
    guard let wait = ContinuationWait<T, Never>(function) else {
        return await unsafe withUnsafeContinuation(isolation: #isolation) { continuation in
            body(unsafe CheckedContinuation(ContinuationHandle(OutsideContinuation(function, continuation))))
        }
    }
    defer { wait.didEnd() }
    return await unsafe withUnsafeContinuation(isolation: #isolation) { continuation in
        guard unsafe wait.begin(continuation, ending: { SessionEnd.value(of: T.self).map { .success($0) } }) else {
            return
        }
        if SessionEnd.value(of: T.self) == nil { wait.warnOfNoEnd() }
        body(CheckedContinuation(ContinuationHandle(wait)))
    }
}

/// Suspends the task until its continuation is resumed, like Swift's function.
///
/// If the session ends first, the function throws `CancellationError`.
nonisolated(nonsending)
    public func withCheckedThrowingContinuation<T>(
        function: String = #function, _ body: (CheckedContinuation<T, any Error>) -> Void
    ) async throws -> sending T
{
    guard let wait = ContinuationWait<T, any Error>(function) else {
        return try await unsafe withUnsafeThrowingContinuation(isolation: #isolation) { continuation in
            body(unsafe CheckedContinuation(ContinuationHandle(OutsideContinuation(function, continuation))))
        }
    }
    defer { wait.didEnd() }
    return try await unsafe withUnsafeThrowingContinuation(isolation: #isolation) { continuation in
        guard unsafe wait.begin(continuation, ending: { .failure(CancellationError()) }) else { return }
        body(CheckedContinuation(ContinuationHandle(wait)))
    }
}

/// A continuation that the session's end resumes.
protocol OpenContinuation: AnyObject {
    func end()
}

/// A suspended wait that a continuation resumes.
private protocol Resumable<Value, Failure>: AnyObject, Sendable {
    associatedtype Value
    associatedtype Failure: Error

    func resume(with result: Result<Value, Failure>)
    /// Called when no copy of the continuation is left.
    func didRelease()
}

/// The object that all copies of a continuation share.
private final class ContinuationHandle<Value, Failure: Error>: Sendable {
    private let wait: any Resumable<Value, Failure>

    init(_ wait: any Resumable<Value, Failure>) {
        self.wait = wait
    }

    deinit { wait.didRelease() }

    func resume(with result: Result<Value, Failure>) {
        wait.resume(with: result)
    }
}

/// A session's task that waits for a continuation to be resumed.
// Unchecked because only code that handles the session's input uses the state, while the session's lock is held.
@safe private final class ContinuationWait<Value, Failure: Error>: Resumable, OpenContinuation, @unchecked Sendable {
    private let function: String
    private let queue: MainQueue
    private let task: RunningTask
    private var continuation: UnsafeContinuation<Value, Failure>?
    private var ending: () -> Result<Value, Failure>? = { nil }

    /// Creates a wait of the current task; nil outside of a session.
    init?(_ function: String) {
        guard let session = UIKitSession.current, let task = RunningTask.current else { return nil }
        self.function = function
        queue = session.queue
        self.task = task
        task.beginWait()
    }

    private var origin: String { "the Task at \(task.origin)" }

    /// Begins to wait; if the session has ended, ends the wait at once and returns `false`.
    ///
    /// At the session's end, `ending` returns the result of the wait; nil if there is none.
    func begin(
        _ continuation: UnsafeContinuation<Value, Failure>, ending: @escaping () -> Result<Value, Failure>?
    ) -> Bool {
        unsafe self.continuation = continuation
        self.ending = ending
        guard queue.hasClosed else {
            task.add(self)
            return true
        }
        if task.takeLastWait() { end() }
        return false
    }

    func didEnd() {
        task.endWait()
    }

    func warnOfNoEnd() {
        queue.misuses.warn(TaskMisuse.endless(function, Value.self, origin: origin))
    }

    func resume(with result: Result<Value, Failure>) {
        guard queue.thread.isCurrent else {
            return queue.misuses.refuse(
                TaskMisuse.foreign("a resumption of \(function)'s continuation", origin: origin))
        }
        if take(resumingWith: result) { return task.remove(self) }
        guard !queue.hasClosed else { return }
        queue.misuses.refuse(TaskMisuse.secondResumption(function, origin: origin))
    }

    func didRelease() {
        guard queue.thread.isCurrent else {
            return queue.add(job: { self.didRelease() })
        }
        guard unsafe continuation != nil, !queue.hasClosed else { return }
        queue.misuses.warn(TaskMisuse.leak(function, origin: origin))
    }

    func end() {
        if let result = ending() { _ = take(resumingWith: result) }
    }

    private func take(resumingWith result: Result<Value, Failure>) -> Bool {
        guard let continuation = unsafe continuation else { return false }
        unsafe self.continuation = nil
        // Safe because the value stays on the session's thread.
        nonisolated(unsafe) let result = result
        unsafe continuation.resume(with: result)
        return true
    }
}

/// A continuation outside of a session; a misuse is only reported, because Swift's continuation would end the server.
@safe
private final class OutsideContinuation<Value, Failure: Error>: Resumable {
    private let function: String
    private let continuation: Mutex<UnsafeContinuation<Value, Failure>?>

    init(_ function: String, _ continuation: UnsafeContinuation<Value, Failure>) {
        self.function = function
        unsafe self.continuation = Mutex(continuation)
    }

    func resume(with result: Result<Value, Failure>) {
        guard let continuation = unsafe take() else {
            return report(TaskMisuse.secondResumption(function, origin: "outside of a session").reason)
        }
        // Safe because the caller has sent the value.
        nonisolated(unsafe) let result = result
        unsafe continuation.resume(with: result)
    }

    func didRelease() {
        if unsafe take() != nil { report(TaskMisuse.leak(function, origin: "outside of a session")) }
    }

    private func take() -> UnsafeContinuation<Value, Failure>? {
        unsafe continuation.withLock { continuation in
            defer { unsafe continuation = nil }
            return unsafe continuation
        }
    }

    private func report(_ misuse: String) {
        // Without `try?`, a closed standard error would end the process.
        try? FileHandle.standardError.write(contentsOf: Data((misuse + "\n").utf8))
    }
}

/// The values that waits return if they cannot throw and their session ends.
enum SessionEnd {
    static func value<Value>(of type: Value.Type) -> Value? {
        if let nothing = () as? Value { return nothing }
        if let type = type as? any EndsWithSession.Type { return type.atEnd as? Value }
        if let type = type as? any CaseIterable.Type { return firstCase(type) as? Value }
        return nil
    }

    private static func firstCase<Cases: CaseIterable>(_ type: Cases.Type) -> Cases? { type.allCases.first }
}

private protocol EndsWithSession {
    static var atEnd: Self { get }
}

extension Optional: EndsWithSession {
    fileprivate static var atEnd: Self { nil }
}

extension Bool: EndsWithSession {
    fileprivate static var atEnd: Bool { false }
}

extension Int: EndsWithSession {
    fileprivate static var atEnd: Int { 0 }
}

extension Double: EndsWithSession {
    fileprivate static var atEnd: Double { 0 }
}

extension String: EndsWithSession {
    fileprivate static var atEnd: String { "" }
}

extension Array: EndsWithSession {
    fileprivate static var atEnd: [Element] { [] }
}

extension Result: EndsWithSession where Failure == any Error {
    fileprivate static var atEnd: Self { .failure(CancellationError()) }
}
