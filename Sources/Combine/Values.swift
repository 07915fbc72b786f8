extension Publisher {
    /// The values, for a task that awaits them; the loop throws the publisher's error.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

extension Publisher where Failure == Never {
    /// The values, for a task that awaits them.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

/// The values of a publisher that cannot fail.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// The type of the values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates a sequence of a publisher's values.
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator { Iterator(values: NextValue(publisher)) }

    /// The values of one subscription.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let values: NextValue<P.Output, Never>

        /// Waits for the next value and returns it; returns nil at the end, and in a cancelled task.
        public mutating func next() async -> P.Output? { try? await values.next() }
    }
}

/// The values of a publisher that may fail.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// The type of the values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates a sequence of a publisher's values.
    public init(_ publisher: P) {
        self.publisher = publisher
    }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator { Iterator(values: NextValue(publisher)) }

    /// The values of one subscription.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let values: NextValue<P.Output, P.Failure>

        /// Waits for the next value and returns it; returns nil at the end, and in a cancelled task.
        public mutating func next() async throws -> P.Output? {
            do { return try await values.next() } catch is CancellationError { return nil }
        }
    }
}

/// A subscription that requests a value each time a task waits for a value.
private final class NextValue<Value, Failure: Error> {
    private final class State {
        var isOver = false
        var failure: Failure?
        var resume: ((Result<Value?, any Error>) -> Void)?

        func end(_ result: Result<Value?, any Error>) {
            let resume = resume
            self.resume = nil
            resume?(result)
        }
    }

    private let state: State
    private let inlet: Inlet<Value, Failure>

    init<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Failure {
        let state = State()
        self.state = state
        inlet = Inlet({
            state.end(.success($0))
            return .none
        }) { completion in
            state.isOver = true
            guard case .failure(let failure) = completion else { return state.end(.success(nil)) }
            if state.resume == nil { state.failure = failure } else { state.end(.failure(failure)) }
        }
        publisher.receive(subscriber: inlet)
    }

    deinit { inlet.cancel() }

    /// Waits for the next value; in a session, waits for an input that delivers the value.
    func next() async throws -> Value? {
        if let failure = state.failure {
            state.failure = nil
            throw failure
        }
        guard !state.isOver else { return nil }
        // Safe because a task of the session stays on the session's thread.
        nonisolated(unsafe) let me = self
        guard let session = UIKitSession.current else {
            return try await _Concurrency.withCheckedThrowingContinuation { continuation in
                unsafe me.request { result in
                    // Safe because, outside of a session, only one thread at a time uses a pipeline.
                    nonisolated(unsafe) let result = result
                    unsafe continuation.resume(with: result)
                }
            }
        }
        do {
            return try await TaskSuspension<Value?>.wait(in: session) { end in
                unsafe me.request(end)
                return SessionWork()
            }
        } catch let error as CancellationError {
            state.isOver = true
            inlet.cancel()
            throw error
        }
    }

    private func request(_ resume: @escaping (Result<Value?, any Error>) -> Void) {
        state.resume = resume
        inlet.request(.max(1))
    }
}
