/// What comes after a publisher's completion.
enum Continuation<Output, Failure: Error> {
    /// Another publisher's values.
    case publisher(AnyPublisher<Output, Failure>)
    /// The end.
    case end(Subscribers.Completion<Failure>)
}

extension Publisher {
    /// Goes on, after the completion, with what a closure returns.
    func followed<Reason>(
        by next: @escaping (Subscribers.Completion<Failure>) -> Continuation<Output, Reason>
    ) -> Publishers.Operation<Output, Reason> {
        Publishers.Operation { downstream in
            let (succession, end) = Succession.begin(downstream)
            succession.follow(self) { completion in
                switch next(completion) {
                case .publisher(let publisher): succession.follow(publisher, end)
                case .end(let completion): end(completion)
                }
            }
        }
    }
}

/// A subscription to one publisher after another.
///
/// A loop attaches to the publishers, so their number does not grow the stack. Each publisher is asked for what the
/// subscriber has requested and not received.
final class Succession<Output>: Subscription {
    private var send: ((Output) -> Subscribers.Demand)?
    private var current: (any Subscription)?
    /// The number of publishers so far.
    private var count = 0
    /// Attaches to the next publisher.
    private var next: (() -> Void)?
    private var isAttaching = false
    private var demand = Subscribers.Demand.none

    init(_ send: @escaping (Output) -> Subscribers.Demand) {
        self.send = send
    }

    /// Returns the subscription of a receiver, with the closure that ends it.
    ///
    /// A receiver that is a part of a succession lets that succession go on. A publisher that continues with itself,
    /// again and again, is therefore one succession, and not one inside the other.
    static func begin<Failure>(
        _ downstream: Receiver<Output, Failure>
    ) -> (Succession, end: (Subscribers.Completion<Failure>) -> Void) {
        let part = downstream as? Part<Output, Failure>
        if let succession = part?.succession, let end = part?.handOver() { return (succession, end) }
        let succession = Succession { downstream.receive($0) }
        downstream.receive(subscription: succession)
        return (
            succession,
            {
                succession.cancel()
                downstream.receive(completion: $0)
            }
        )
    }

    func request(_ more: Subscribers.Demand) {
        demand += more
        current?.request(more)
    }

    func cancel() {
        let left = (send, current, next)
        (send, current, next) = (nil, nil, nil)
        left.1?.cancel()
        withExtendedLifetime(left) {}
    }

    /// Cancels the current publisher, and follows another.
    ///
    /// - Parameters:
    ///   - publisher: The other publisher.
    ///   - end: Called with its completion.
    func follow<P: Publisher>(_ publisher: P, _ end: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Output {
        guard send != nil else { return }
        let last = current
        current = nil
        next = { [self] in attach(publisher, end) }
        // The cancellation may lead to a newer publisher, which replaces this one.
        last?.cancel()
        guard !isAttaching else { return }
        isAttaching = true
        while let attach = next {
            next = nil
            attach()
        }
        isAttaching = false
    }

    private func attach<P: Publisher>(_ publisher: P, _ end: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Output {
        count += 1
        let number = count
        let part = Part<Output, P.Failure>(of: self, { [self] in receive($0, from: number) }, end: end)
        current = part
        part.request(demand)
        publisher.receive(subscriber: part)
    }

    private func receive(_ value: Output, from number: Int) -> Subscribers.Demand {
        guard let send else { return .none }
        demand -= 1
        let more = send(value)
        demand += more
        guard number != count else { return more }
        // The value has led to a newer publisher.
        current?.request(more)
        return .none
    }
}

/// The receiver of one publisher of a succession.
private final class Part<Output, Failure: Error>: Inlet<Output, Failure> {
    private(set) weak var succession: Succession<Output>?

    init(
        of succession: Succession<Output>, _ take: @escaping (Output) -> Subscribers.Demand,
        end: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        self.succession = succession
        super.init(take, end: end)
    }
}
