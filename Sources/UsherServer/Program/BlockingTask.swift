import UsherProcess

/// A task that the calling thread waits for, where that thread must not be given up meanwhile.
enum BlockingTask {
    /// The end of a task, which one thread waits for.
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

    /// Runs a body, and blocks the thread until it has ended.
    ///
    /// - Throws: What the body throws.
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
