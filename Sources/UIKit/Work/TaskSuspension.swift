/// A suspension of a task that its session ends: with a value, an error, or the task's cancellation.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
package final class TaskSuspension<Value>: @unchecked Sendable {
    private var continuation: CheckedContinuation<Value, any Error>?
    private var work: SessionWork?

    private init() {}

    /// Waits until the session says that it is over.
    ///
    /// After the end of the session each wait ends with a `CancellationError`, at once; that of a task which begins to wait
    /// again and again does not end.
    ///
    /// - Parameter begin: Begins the work; is given what is to be called at its end.
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
                return try await withCheckedThrowingContinuation { continuation in
                    suspension.continuation = continuation
                    if isLeft { suspension.begin(begin) }
                }
            } onCancel: {
                // Another thread has it done at the session's end.
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
        // Because the value is one that the task's own thread has made for it.
        nonisolated(unsafe) let result = result
        unsafe continuation.resume(with: result)
    }
}
