/// A type-erased subscriber, to which all publishers in this module send.
class Receiver<Input, Failure: Error>: Subscriber {
    func receive(subscription: any Subscription) {}

    func receive(_ input: Input) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<Failure>) {}

    /// Returns the subscriber if it is a receiver, or else a receiver that represents the subscriber.
    static func of<S: Subscriber>(_ subscriber: S) -> Receiver where S.Input == Input, S.Failure == Failure {
        if let receiver = subscriber as? Receiver { return receiver }
        if let erased = subscriber as? AnySubscriber<Input, Failure> { return erased.receiver }
        return ForeignReceiver(subscriber)
    }
}

private final class ForeignReceiver<S: Subscriber>: Receiver<S.Input, S.Failure> {
    private let subscriber: S

    init(_ subscriber: S) {
        self.subscriber = subscriber
    }

    override func receive(subscription: any Subscription) { subscriber.receive(subscription: subscription) }

    override func receive(_ input: S.Input) -> Subscribers.Demand { subscriber.receive(input) }

    override func receive(completion: Subscribers.Completion<S.Failure>) { subscriber.receive(completion: completion) }
}

/// A receiver that calls closures, and releases them when the subscription ends.
///
/// The inlet stores requests until the subscription arrives, and then passes the requests on.
class Inlet<Input, Failure: Error>: Receiver<Input, Failure>, Subscription {
    private var subscription: (any Subscription)?
    private var early = Subscribers.Demand.none
    private var take: ((Input) -> Subscribers.Demand)?
    private var end: ((Subscribers.Completion<Failure>) -> Void)?

    init(
        _ take: @escaping (Input) -> Subscribers.Demand,
        end: @escaping (Subscribers.Completion<Failure>) -> Void = { _ in }
    ) {
        self.take = take
        self.end = end
    }

    /// A Boolean value indicating whether the completion has arrived or the inlet was cancelled.
    final var isOver: Bool { take == nil }

    final func request(_ demand: Subscribers.Demand) {
        if let subscription { subscription.request(demand) } else { early += demand }
    }

    final func cancel() {
        let ended = release()
        ended.subscription?.cancel()
        withExtendedLifetime(ended) {}
    }

    /// Ends this inlet without calling its completion closure, so that another receiver can get the completion.
    ///
    /// - Returns: The closure to call with the completion; nil if the inlet is already over, or has a subscription.
    final func handOver() -> ((Subscribers.Completion<Failure>) -> Void)? {
        subscription == nil ? release().end : nil
    }

    override final func receive(subscription: any Subscription) {
        guard !isOver, self.subscription == nil else { return subscription.cancel() }
        self.subscription = subscription
        if early > .none { subscription.request(early) }
    }

    override final func receive(_ input: Input) -> Subscribers.Demand { take?(input) ?? .none }

    override final func receive(completion: Subscribers.Completion<Failure>) {
        let ended = release()
        ended.end?(completion)
        withExtendedLifetime(ended) {}
    }

    private typealias Ended = (
        subscription: (any Subscription)?, take: ((Input) -> Subscribers.Demand)?,
        end: ((Subscribers.Completion<Failure>) -> Void)?
    )

    private func release() -> Ended {
        let ended: Ended = (subscription, take, end)
        (subscription, take, end) = (nil, nil, nil)
        return ended
    }
}

/// An operator's part in one subscription: receives values from the upstream, and sends values to the subscriber.
class Stage<Input, Failure: Error, Output, Reason: Error>: Receiver<Input, Failure>, Subscription {
    final private(set) var downstream: Receiver<Output, Reason>?
    final private(set) var upstream: (any Subscription)?
    /// The number of requested values that the subscriber has not received.
    final private(set) var demand = Subscribers.Demand.none
    private let ownRequest: Subscribers.Demand?

    /// Creates a stage whose first request is `ownRequest`; without one, the stage passes the subscriber's requests on.
    init(_ downstream: Receiver<Output, Reason>, requests ownRequest: Subscribers.Demand? = nil) {
        (self.downstream, self.ownRequest) = (downstream, ownRequest)
    }

    override func receive(subscription: any Subscription) {
        guard upstream == nil, let downstream else { return subscription.cancel() }
        upstream = subscription
        downstream.receive(subscription: self)
        if let ownRequest { upstream?.request(ownRequest) }
    }

    func request(_ more: Subscribers.Demand) {
        demand += more
        if ownRequest == nil { upstream?.request(more) }
    }

    /// Sends a value, and returns the number of further values that the subscriber requests.
    @discardableResult
    final func send(_ value: Output) -> Subscribers.Demand {
        guard let downstream else { return .none }
        demand -= 1
        let more = downstream.receive(value)
        demand += more
        return more
    }

    func cancel() {
        let (upstream, downstream) = (upstream, downstream)
        (self.upstream, self.downstream) = (nil, nil)
        upstream?.cancel()
        withExtendedLifetime(downstream) {}
    }

    /// Records that the upstream has ended, so that this stage no longer cancels the upstream.
    final func upstreamEnded() { upstream = nil }

    /// Ends the subscription: cancels the upstream if it has not ended, and sends a completion.
    final func complete(_ completion: Subscribers.Completion<Reason>) {
        let downstream = downstream
        cancel()
        downstream?.receive(completion: completion)
    }
}

class PassingStage<Output, Failure: Error>: Stage<Output, Failure, Output, Failure> {
    override func receive(_ input: Output) -> Subscribers.Demand { send(input) }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        complete(completion)
    }
}

/// A type-erased subscriber.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    let receiver: Receiver<Input, Failure>

    /// The subscriber's identity.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(receiver) }

    /// Creates a type-erased subscriber from another subscriber.
    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        receiver = Receiver.of(subscriber)
    }

    /// Creates a subscriber from closures.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        receiver = ClosureReceiver(receiveSubscription, receiveValue, receiveCompletion)
    }

    /// Passes a subscription on.
    public func receive(subscription: any Subscription) { receiver.receive(subscription: subscription) }

    /// Passes a value on.
    public func receive(_ input: Input) -> Subscribers.Demand { receiver.receive(input) }

    /// Passes the completion on.
    public func receive(completion: Subscribers.Completion<Failure>) { receiver.receive(completion: completion) }
}

private final class ClosureReceiver<Input, Failure: Error>: Receiver<Input, Failure> {
    private let begin: ((any Subscription) -> Void)?
    private let take: ((Input) -> Subscribers.Demand)?
    private let end: ((Subscribers.Completion<Failure>) -> Void)?

    init(
        _ begin: ((any Subscription) -> Void)?, _ take: ((Input) -> Subscribers.Demand)?,
        _ end: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
        (self.begin, self.take, self.end) = (begin, take, end)
    }

    override func receive(subscription: any Subscription) { begin?(subscription) }

    override func receive(_ input: Input) -> Subscribers.Demand { take?(input) ?? .none }

    override func receive(completion: Subscribers.Completion<Failure>) { end?(completion) }
}

/// A type-erased publisher.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let attach: (Receiver<Output, Failure>) -> Void

    /// Creates a type-erased publisher from another publisher.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        attach = { publisher.receive(subscriber: $0) }
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(Receiver.of(subscriber))
    }
}

/// The publishers that operators return.
public enum Publishers {
    /// The publisher that most operators return; a few operators return a type of their own.
    public struct Operation<Output, Failure: Error>: Publisher {
        private let attach: (Receiver<Output, Failure>) -> Void

        init(_ attach: @escaping (Receiver<Output, Failure>) -> Void) {
            self.attach = attach
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(Receiver.of(subscriber))
        }
    }
}
