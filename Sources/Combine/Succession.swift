/// The continuation after a publisher's completion.
enum Continuation<Output, Failure: Error> {
    case publisher(AnyPublisher<Output, Failure>)
    case end(Subscribers.Completion<Failure>)
}

extension Publisher {
    /// Returns a publisher that, after the completion, continues as a closure decides.
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
/// A loop attaches to the publishers, so that the call stack does not grow with their number. Each new publisher gets a
/// request for the values that the subscriber has requested but not yet received.
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

    /// Returns the subscription of a receiver, with the closure that ends the subscription.
    ///
    /// If the receiver already belongs to a succession, this method continues that succession instead of starting a
    /// nested succession. So a publisher that repeatedly continues with itself needs only one succession.
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

    /// Cancels the current publisher and subscribes to another, whose completion is passed to `end`.
    func follow<P: Publisher>(_ publisher: P, _ end: @escaping (Subscribers.Completion<P.Failure>) -> Void)
    where P.Output == Output {
        guard send != nil else { return }
        let last = current
        current = nil
        next = { [self] in attach(publisher, end) }
        // The cancellation may call this method again with a newer publisher, which then replaces `publisher`.
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
        // While the subscriber handled the value, a newer publisher replaced this publisher, and now gets the request.
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
