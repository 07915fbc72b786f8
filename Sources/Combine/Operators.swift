extension Publisher {
    /// Transforms all values.
    public func map<Value>(_ transform: @escaping (Output) -> Value) -> Publishers.Operation<Value, Failure> {
        steps { { .value(transform($0)) } }
    }

    /// Transforms all values, and fails with an error that the closure throws.
    public func tryMap<Value>(
        _ transform: @escaping (Output) throws -> Value
    ) -> Publishers.Operation<Value, any Error> {
        operation {
            Steps(
                value: {
                    do { return .value(try transform($0)) } catch { return .end((nil, .failure(error))) }
                }, end: { (nil, $0.mapFailure { $0 }) })
        }
    }

    /// Transforms all values, and leaves out those for which the closure returns nil.
    public func compactMap<Value>(
        _ transform: @escaping (Output) -> Value?
    ) -> Publishers.Operation<Value, Failure> {
        steps { { transform($0).map { .value($0) } ?? .skip } }
    }

    /// Transforms values like `compactMap(_:)`, and fails with an error that the closure throws.
    public func tryCompactMap<Value>(
        _ transform: @escaping (Output) throws -> Value?
    ) -> Publishers.Operation<Value, any Error> {
        tryMap(transform).compactMap { $0 }
    }

    /// Sends only the values for which a closure returns true.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Operation<Output, Failure> {
        steps { { isIncluded($0) ? .value($0) : .skip } }
    }

    /// Sends only the values for which a closure returns true, and fails with an error that the closure throws.
    public func tryFilter(
        _ isIncluded: @escaping (Output) throws -> Bool
    ) -> Publishers.Operation<Output, any Error> {
        tryMap { try isIncluded($0) ? $0 : nil }.compactMap { $0 }
    }

    /// Leaves out each value that a closure finds equal to the previous value.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> Publishers.Operation<Output, Failure> {
        steps {
            var last: Output?
            return { value in
                if let last, predicate(last, value) { return .skip }
                last = value
                return .value(value)
            }
        }
    }

    /// Leaves out the first values, up to a number.
    public func dropFirst(_ count: Int = 1) -> Publishers.Operation<Output, Failure> {
        steps {
            var left = count
            return { value in
                guard left > 0 else { return .value(value) }
                left -= 1
                return .skip
            }
        }
    }

    /// Leaves out the values until a closure returns false.
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.Operation<Output, Failure> {
        steps {
            var isDropping = true
            return { value in
                isDropping = isDropping && predicate(value)
                return isDropping ? .skip : .value(value)
            }
        }
    }

    /// Sends the first value, and finishes.
    public func first() -> Publishers.Operation<Output, Failure> {
        first { _ in true }
    }

    /// Sends the first value for which a closure returns true, and finishes.
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.Operation<Output, Failure> {
        steps { { predicate($0) ? .end(($0, .finished)) : .skip } }
    }

    /// Sends the first values, up to a number, and finishes.
    public func prefix(_ maxLength: Int) -> Publishers.Operation<Output, Failure> {
        guard maxLength > 0 else { return Publishers.Operation { Empty().receive(subscriber: $0) } }
        return steps {
            var left = maxLength
            return { value in
                left -= 1
                return left == 0 ? .end((value, .finished)) : .value(value)
            }
        }
    }

    /// Sends values while a closure returns true, and then finishes.
    public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.Operation<Output, Failure> {
        steps { { predicate($0) ? .value($0) : .end((nil, .finished)) } }
    }

    /// Sends the last value when the upstream finishes.
    public func last() -> Publishers.Operation<Output, Failure> {
        summary {
            var last: Output?
            return ({ last = $0 }, { last })
        }
    }

    /// Sends the results of a closure that is called with the previous result and each value.
    public func scan<Value>(
        _ initialResult: Value, _ nextPartialResult: @escaping (Value, Output) -> Value
    ) -> Publishers.Operation<Value, Failure> {
        steps {
            var result = initialResult
            return {
                result = nextPartialResult(result, $0)
                return .value(result)
            }
        }
    }

    /// Sends the last result of a closure that is called with the previous result and each value.
    public func reduce<Value>(
        _ initialResult: Value, _ nextPartialResult: @escaping (Value, Output) -> Value
    ) -> Publishers.Operation<Value, Failure> {
        summary {
            var result = initialResult
            return ({ result = nextPartialResult(result, $0) }, { result })
        }
    }

    /// Sends all values in one array, when the upstream finishes.
    public func collect() -> Publishers.Operation<[Output], Failure> {
        summary {
            var values: [Output] = []
            return ({ values.append($0) }, { values })
        }
    }

    /// Sends the values in arrays of `count` values; the last array may have fewer values.
    public func collect(_ count: Int) -> Publishers.Operation<[Output], Failure> {
        operation {
            var values: [Output] = []
            return Steps(
                value: { value in
                    values.append(value)
                    guard values.count >= count else { return .skip }
                    defer { values = [] }
                    return .value(values)
                },
                end: { if case .finished = $0, !values.isEmpty { (values, $0) } else { (nil, $0) } })
        }
    }

    /// Leaves out all values.
    public func ignoreOutput() -> Publishers.Operation<Output, Failure> {
        summary { ({ _ in }, { nil }) }
    }

    /// Sends a value instead of each nil.
    public func replaceNil<Value>(with output: Value) -> Publishers.Operation<Value, Failure> where Output == Value? {
        map { $0 ?? output }
    }

    /// Sends a value if the upstream finishes without a value.
    public func replaceEmpty(with output: Output) -> Publishers.Operation<Output, Failure> {
        operation {
            var isEmpty = true
            return Steps(
                value: {
                    isEmpty = false
                    return .value($0)
                }, end: { if case .finished = $0, isEmpty { (output, $0) } else { (nil, $0) } })
        }
    }

    /// Transforms the error.
    public func mapError<Reason: Error>(
        _ transform: @escaping (Failure) -> Reason
    ) -> Publishers.Operation<Output, Reason> {
        operation { Steps(value: { .value($0) }, end: { (nil, $0.mapFailure(transform)) }) }
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out each value that equals the previous value.
    public func removeDuplicates() -> Publishers.Operation<Output, Failure> { removeDuplicates(by: ==) }
}

extension Publisher where Failure == Never {
    /// Declares a type of errors for a publisher that cannot fail.
    public func setFailureType<Reason: Error>(to failureType: Reason.Type) -> Publishers.Operation<Output, Reason> {
        mapError { never -> Reason in }
    }
}

extension Publisher {
    /// Calls closures with the subscription, each value, the completion, each request and the cancellation.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { downstream in
            let handlers = EventHandlers(
                subscription: receiveSubscription, output: receiveOutput, completion: receiveCompletion,
                cancel: receiveCancel, request: receiveRequest)
            self.receive(subscriber: EventStage(downstream, handlers))
        }
    }
}

private struct EventHandlers<Output, Failure: Error> {
    let subscription: ((any Subscription) -> Void)?
    let output: ((Output) -> Void)?
    let completion: ((Subscribers.Completion<Failure>) -> Void)?
    let cancel: (() -> Void)?
    let request: ((Subscribers.Demand) -> Void)?
}

private final class EventStage<Output, Failure: Error>: PassingStage<Output, Failure> {
    private var handlers: EventHandlers<Output, Failure>?

    init(_ downstream: Receiver<Output, Failure>, _ handlers: EventHandlers<Output, Failure>) {
        self.handlers = handlers
        super.init(downstream)
    }

    override func receive(subscription: any Subscription) {
        handlers?.subscription?(subscription)
        super.receive(subscription: subscription)
    }

    override func request(_ demand: Subscribers.Demand) {
        handlers?.request?(demand)
        super.request(demand)
    }

    override func receive(_ input: Output) -> Subscribers.Demand {
        handlers?.output?(input)
        let more = send(input)
        if more > .none { handlers?.request?(more) }
        return more
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        let handlers = handlers
        self.handlers = nil
        handlers?.completion?(completion)
        super.receive(completion: completion)
    }

    override func cancel() {
        let handlers = handlers
        self.handlers = nil
        handlers?.cancel?()
        super.cancel()
    }
}
