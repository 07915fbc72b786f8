import UsherProcess

/// A task that blocks the calling thread, for callers that must not leave their thread.
enum BlockingTask {
    /// The result of a task, for the one thread that waits for it.
    private final class State<Value: Sendable, Failure: Error>: @unchecked Sendable {  // because `lock` guards `result`
        private let lock = ConditionLock()
        private var result: Result<Value, Failure>?

        func set(_ result: Result<Value, Failure>) {
            lock.lock()
            self.result = result
            lock.unlock()
            lock.signal()
        }

        func wait() -> Result<Value, Failure> {
            lock.lock()
            defer { lock.unlock() }
            while true {
                if let result { return result }
                lock.wait(until: nil)
            }
        }
    }

    /// Runs a closure, and blocks the thread until the closure returns; throws the closure's error.
    static func value<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let ending = State<Value, Failure>()
        Task.detached {
            do throws(Failure) {
                ending.set(.success(try await body()))
            } catch {
                ending.set(.failure(error))
            }
        }
        return try ending.wait().get()
    }
}
