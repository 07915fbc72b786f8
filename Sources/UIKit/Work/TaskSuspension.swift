/// A suspension of a task that its session ends: with a value, an error, or the task's cancellation.
final class TaskSuspension<Value>: @unchecked Sendable {
    // Unchecked because only code of its session's input reaches it, under that session's lock.
    private var continuation: CheckedContinuation<Value, any Error>?
    private var work: SessionWork?

    private init() {}

    /// Waits until the session says that it is over.
    ///
    /// After the end of the session nothing is over any more: a task that goes on waiting stays where it is.
    ///
    /// - Parameter begin: Begins the work; is given what is to be called at its end.
    static func wait(
        in session: UIKitSession,
        _ begin: @escaping @MainActor (_ end: @escaping (Result<Value, any Error>) -> Void) -> SessionWork
    ) async throws -> Value {
        let suspension = TaskSuspension()
        let task = RunningTask.current
        task?.beginWait()
        defer { task?.endWait() }
        return try await withTaskCancellationHandler {
            if unsafe !session.isClosed { try Task<Never, Never>.checkCancellation() }
            return try await withCheckedThrowingContinuation { continuation in
                suspension.continuation = continuation
                guard unsafe !session.isClosed else { return }
                // Because the task runs on its session's thread.
                nonisolated(unsafe) let end: (Result<Value, any Error>) -> Void = { suspension.end($0) }
                suspension.work = MainActor.assumeIsolated { begin(unsafe end) }
            }
        } onCancel: {
            suspension.end(.failure(CancellationError()))
        }
    }

    private func end(_ result: Result<Value, any Error>) {
        guard let continuation else { return }
        self.continuation = nil
        work?.cancel()
        work = nil
        // Because the value is one that the task's own thread has made for it.
        nonisolated(unsafe) let result = result
        unsafe continuation.resume(with: result)
    }
}
