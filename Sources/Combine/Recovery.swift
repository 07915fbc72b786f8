extension Publisher {
    /// Goes on with another publisher after an error.
    public func `catch`<P: Publisher>(
        _ handler: @escaping (Failure) -> P
    ) -> Publishers.Operation<Output, P.Failure> where P.Output == Output {
        Publishers.Operation { downstream in
            self.receive(subscriber: CatchStage(downstream) { .success(handler($0).eraseToAnyPublisher()) })
        }
    }

    /// Goes on with another publisher after an error, or fails with the error that is thrown.
    public func tryCatch<P: Publisher>(
        _ handler: @escaping (Failure) throws -> P
    ) -> Publishers.Operation<Output, any Error> where P.Output == Output {
        Publishers.Operation { downstream in
            self.receive(
                subscriber: CatchStage(downstream) { failure in
                    Result { try handler(failure).mapError { $0 as any Error }.eraseToAnyPublisher() }
                })
        }
    }

    /// Begins again after an error, so many times.
    public func retry(_ retries: Int) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { downstream in
            guard retries > 0 else { return self.receive(subscriber: downstream) }
            self.receive(
                subscriber: CatchStage(downstream) { _ in .success(self.retry(retries - 1).eraseToAnyPublisher()) })
        }
    }
}

/// A publisher, and after its error another one.
private final class CatchStage<Output, Failure: Error, Reason: Error>: Stage<Output, Failure, Output, Reason> {
    private let next: (Failure) -> Result<AnyPublisher<Output, Reason>, Reason>
    private var second: Inlet<Output, Reason>?
    private var demand = Subscribers.Demand.none

    init(
        _ downstream: Receiver<Output, Reason>,
        _ next: @escaping (Failure) -> Result<AnyPublisher<Output, Reason>, Reason>
    ) {
        self.next = next
        super.init(downstream)
    }

    override func request(_ more: Subscribers.Demand) {
        demand += more
        if let second { second.request(more) } else { upstream?.request(more) }
    }

    override func receive(_ input: Output) -> Subscribers.Demand {
        guard let downstream else { return .none }
        demand -= 1
        let more = downstream.receive(input)
        demand += more
        return more
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        guard downstream != nil else { return }
        upstreamEnded()
        guard case .failure(let failure) = completion else { return complete(.finished) }
        switch next(failure) {
        case .failure(let reason): complete(.failure(reason))
        case .success(let publisher):
            let inlet = Inlet<Output, Reason>({ [self] in receive($0) }) { [self] in complete($0) }
            second = inlet
            inlet.request(demand)
            publisher.receive(subscriber: inlet)
        }
    }

    override func cancel() {
        let second = second
        self.second = nil
        super.cancel()
        second?.cancel()
    }
}
