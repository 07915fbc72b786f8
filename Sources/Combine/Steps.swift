/// The last value that an operator sends, if there is one, and the completion.
typealias Ending<Output, Failure: Error> = (value: Output?, completion: Subscribers.Completion<Failure>)

/// An operator's response to a value.
enum Step<Output, Failure: Error> {
    case value(Output)
    /// Send nothing, and request another value.
    case skip
    /// End, and cancel the upstream.
    case end(Ending<Output, Failure>)
}

/// An operator's responses to the values and the completion of one subscription; each response is immediate.
struct Steps<Input, Failure: Error, Output, Reason: Error> {
    /// A Boolean value indicating whether the operator requests all values and sends nothing before the end.
    var takesAll = false
    let value: (Input) -> Step<Output, Reason>
    let end: (Subscribers.Completion<Failure>) -> Ending<Output, Reason>
}

private final class StepStage<Input, Failure: Error, Output, Reason: Error>: Stage<Input, Failure, Output, Reason> {
    private let steps: Steps<Input, Failure, Output, Reason>
    /// The last value and the completion, while the last value waits for a request.
    private var rest: Ending<Output, Reason>?

    init(_ downstream: Receiver<Output, Reason>, _ steps: Steps<Input, Failure, Output, Reason>) {
        self.steps = steps
        super.init(downstream, requests: steps.takesAll ? .unlimited : nil)
    }

    override func request(_ more: Subscribers.Demand) {
        super.request(more)
        sendRest()
    }

    override func receive(_ input: Input) -> Subscribers.Demand {
        guard downstream != nil, rest == nil else { return .none }
        switch steps.value(input) {
        case .value(let output): return send(output)
        case .skip: return steps.takesAll ? .none : .max(1)
        case .end(let ending):
            rest = ending
            sendRest()
            return .none
        }
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        guard downstream != nil, rest == nil else { return }
        upstreamEnded()
        rest = steps.end(completion)
        sendRest()
    }

    private func sendRest() {
        guard let ending = rest else { return }
        if let value = ending.value {
            guard demand > .none else { return }
            rest?.value = nil
            send(value)
        }
        complete(ending.completion)
    }
}

extension Publisher {
    /// Returns a publisher that applies the steps that `make` creates, with their state, for each subscription.
    func operation<Value, Reason>(
        _ make: @escaping () -> Steps<Output, Failure, Value, Reason>
    ) -> Publishers.Operation<Value, Reason> {
        Publishers.Operation { self.receive(subscriber: StepStage($0, make())) }
    }

    /// Returns a publisher that applies an operator's steps to this publisher's values, and passes completions on.
    func steps<Value>(
        _ make: @escaping () -> (Output) -> Step<Value, Failure>
    ) -> Publishers.Operation<Value, Failure> {
        operation { Steps(value: make(), end: { (nil, $0) }) }
    }

    /// Returns a publisher that requests all values of this publisher, and sends at most one value at its end.
    func summary<Value>(
        _ make: @escaping () -> (add: (Output) -> Void, result: () -> Value?)
    ) -> Publishers.Operation<Value, Failure> {
        operation {
            let (add, result) = make()
            return Steps(
                takesAll: true,
                value: {
                    add($0)
                    return .skip
                }, end: { if case .finished = $0 { (result(), $0) } else { (nil, $0) } })
        }
    }
}
