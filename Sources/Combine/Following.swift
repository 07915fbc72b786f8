extension Publisher {
    /// Continues with another publisher after an error.
    public func `catch`<P: Publisher>(
        _ handler: @escaping (Failure) -> P
    ) -> Publishers.Operation<Output, P.Failure> where P.Output == Output {
        followed {
            switch $0 {
            case .finished: .end(.finished)
            case .failure(let failure): .publisher(handler(failure).eraseToAnyPublisher())
            }
        }
    }

    /// Sends a value instead of an error, and finishes.
    public func replaceError(with output: Output) -> Publishers.Operation<Output, Never> {
        self.catch { _ in Just(output) }
    }

    /// Subscribes again after an error, up to a number of times.
    public func retry(_ retries: Int) -> Publishers.Operation<Output, Failure> {
        followed {
            guard case .failure = $0, retries > 0 else { return .end($0) }
            return .publisher(self.retry(retries - 1).eraseToAnyPublisher())
        }
    }

    /// Sends values before this publisher's values.
    public func prepend(_ elements: Output...) -> Publishers.Operation<Output, Failure> { prepend(elements) }

    /// Sends the elements of a sequence before this publisher's values.
    public func prepend<S: Sequence>(
        _ elements: S
    ) -> Publishers.Operation<Output, Failure> where S.Element == Output {
        prepend(Publishers.Sequence<S, Failure>(sequence: elements))
    }

    /// Sends the values of another publisher before this publisher's values.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Operation<Output, Failure>
    where P.Output == Output, P.Failure == Failure { publisher.append(self) }

    /// Sends values after this publisher's values.
    public func append(_ elements: Output...) -> Publishers.Operation<Output, Failure> {
        append(Publishers.Sequence<[Output], Failure>(sequence: elements))
    }

    /// Sends the values of another publisher after this publisher's values.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Operation<Output, Failure>
    where P.Output == Output, P.Failure == Failure {
        followed {
            if case .failure = $0 { .end($0) } else { .publisher(publisher.eraseToAnyPublisher()) }
        }
    }
}
