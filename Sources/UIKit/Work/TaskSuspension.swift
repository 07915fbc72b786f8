/// A suspension of a task that the session ends: with a value, an error, or the task's cancellation.
///
/// Unchecked because only code that handles the session's input uses it, while the session's lock is held.
package final class TaskSuspension<Value>: @unchecked Sendable {
    private var continuation: _Concurrency.CheckedContinuation<Value, any Error>?
    private var work: SessionWork?

    private init() {}

    /// Waits until the session ends the suspension.
    ///
    /// After the end of the session, each wait ends immediately with a `CancellationError`, up to a limit: after that
    /// number of waits, the task is suspended forever.
    ///
    /// - Parameter begin: Receives a closure, begins the work, and calls the closure when the work ends.
    package static func wait(
        in session: UIKitSession,
        _ begin: @escaping @MainActor (_ end: @escaping (Result<Value, any Error>) -> Void) -> SessionWork
    ) async throws -> Value {
        let suspension = TaskSuspension()
        let queue = session.queue
        return try await RunningTask.waiting {
            try await withTaskCancellationHandler {
                let isClosed = MainActor.assumeIsolated { queue.isClosed }
                let isLeft = !isClosed || RunningTask.current?.takeLastWait() == true
                if isLeft { try Task<Never, Never>.checkCancellation() }
                if isLeft, isClosed { throw CancellationError() }
                return try await _Concurrency.withCheckedThrowingContinuation { continuation in
                    suspension.continuation = continuation
                    if isLeft { suspension.begin(begin) }
                }
            } onCancel: {
                // On another thread, the cancellation waits for the session's end.
                if queue.thread.isCurrent { suspension.cancel() } else { queue.add(job: { suspension.cancel() }) }
            }
        }
    }

    private func begin(
        _ begin: @MainActor (_ end: @escaping (Result<Value, any Error>) -> Void) -> SessionWork
    ) {
        work = MainActor.assumeIsolated { begin { self.end($0) } }
    }

    private func cancel() {
        end(.failure(CancellationError()))
    }

    private func end(_ result: Result<Value, any Error>) {
        guard let continuation else { return }
        self.continuation = nil
        work?.cancel()
        work = nil
        // Safe because the task's own thread has created the value for the task.
        nonisolated(unsafe) let result = result
        unsafe continuation.resume(with: result)
    }
}
