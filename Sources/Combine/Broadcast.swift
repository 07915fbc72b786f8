/// The implementation of subjects: sends values to all subscribers, in the order of the calls.
///
/// A new subscriber first receives the current value, if there is one. A subscriber that has requested no value misses
/// the values that are sent, but its next request delivers the current value, if there is one.
final class Broadcast<Output, Failure: Error> {
    private var subscribers: [Conduit] = []
    private var upstreams: [any Subscription] = []
    private var isWanted = false
    private(set) var current: Output?
    private var completion: Subscribers.Completion<Failure>?

    init(_ current: Output? = nil) {
        self.current = current
        isWanted = current != nil
    }

    var isOver: Bool { completion != nil }

    deinit { for upstream in upstreams { upstream.cancel() } }

    func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        let receiver = Receiver.of(subscriber)
        if let completion {
            receiver.receive(subscription: Subscriptions.empty)
            return receiver.receive(completion: completion)
        }
        let conduit = Conduit(receiver, self)
        subscribers.append(conduit)
        receiver.receive(subscription: conduit)
    }

    func send(_ value: Output) {
        guard completion == nil else { return }
        if current != nil { current = value }
        for subscriber in subscribers { subscriber.offer(value) }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        guard self.completion == nil else { return }
        self.completion = completion
        let (left, sources) = (subscribers, upstreams)
        (subscribers, upstreams) = ([], [])
        for subscriber in left { subscriber.finish(completion) }
        withExtendedLifetime(sources) {}
    }

    func follow(_ subscription: any Subscription) {
        guard completion == nil else { return subscription.cancel() }
        upstreams.removeAll { ($0 as? any Revocable)?.isOver == true }
        upstreams.append(subscription)
        if isWanted { subscription.request(.unlimited) }
    }

    private func demanded() {
        guard !isWanted else { return }
        isWanted = true
        for upstream in upstreams { upstream.request(.unlimited) }
    }

    private func remove(_ conduit: Conduit) { subscribers.removeAll { $0 === conduit } }

    private final class Conduit: Subscription {
        private var downstream: Receiver<Output, Failure>?
        private var broadcast: Broadcast?
        private var demand = Subscribers.Demand.none
        /// A Boolean value indicating whether the current value must still be sent to the subscriber.
        private var isBehind: Bool

        init(_ downstream: Receiver<Output, Failure>, _ broadcast: Broadcast) {
            (self.downstream, self.broadcast) = (downstream, broadcast)
            isBehind = broadcast.current != nil
        }

        func request(_ more: Subscribers.Demand) {
            guard let broadcast, more > .none else { return }
            demand += more
            if isBehind, let current = broadcast.current { offer(current) }
            broadcast.demanded()
        }

        func offer(_ value: Output) {
            guard let downstream else { return }
            isBehind = demand == .none && broadcast?.current != nil
            guard demand > .none else { return }
            demand -= 1
            let more = downstream.receive(value)
            demand += more
        }

        func finish(_ completion: Subscribers.Completion<Failure>) {
            let downstream = downstream
            (self.downstream, broadcast) = (nil, nil)
            downstream?.receive(completion: completion)
        }

        func cancel() {
            let (downstream, broadcast) = (downstream, broadcast)
            (self.downstream, self.broadcast) = (nil, nil)
            broadcast?.remove(self)
            withExtendedLifetime(downstream) {}
        }
    }
}

/// A namespace for subscriptions that belong to no publisher.
public enum Subscriptions {
    /// A subscription that delivers nothing.
    public static var empty: any Subscription { EmptySubscription() }
}

private final class EmptySubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
}

private protocol Revocable: Subscription {
    var isOver: Bool { get }
}

/// A subscriber that passes everything that it receives to a subject.
final class Relay<S: Subject>: Receiver<S.Output, S.Failure>, Revocable {
    private var subject: S?
    private var subscription: (any Subscription)?

    init(_ subject: S) {
        self.subject = subject
    }

    override func receive(subscription: any Subscription) {
        guard let subject, self.subscription == nil else { return subscription.cancel() }
        self.subscription = subscription
        subject.send(subscription: self)
    }

    var isOver: Bool { subject == nil }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

    override func receive(_ input: S.Output) -> Subscribers.Demand {
        subject?.send(input)
        return .none
    }

    override func receive(completion: Subscribers.Completion<S.Failure>) {
        let subject = subject
        (self.subject, subscription) = (nil, nil)
        subject?.send(completion: completion)
    }

    func cancel() {
        let subscription = subscription
        (subject, self.subscription) = (nil, nil)
        subscription?.cancel()
    }
}

/// A subject that sends each value to the subscribers that have requested a value.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let broadcast = Broadcast<Output, Failure>()

    /// Creates a subject.
    public init() {}

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.attach(subscriber)
    }

    /// Sends a value.
    public func send(_ value: Output) { broadcast.send(value) }

    /// Sends a completion.
    public func send(completion: Subscribers.Completion<Failure>) { broadcast.finish(completion) }

    /// Passes on the values of another publisher.
    public func send(subscription: any Subscription) { broadcast.follow(subscription) }
}

/// A subject that stores its last value and sends it to each new subscriber first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private var last: Output
    private let broadcast: Broadcast<Output, Failure>

    /// Creates a subject with its first value.
    public init(_ value: Output) {
        last = value
        broadcast = Broadcast(value)
    }

    /// The last value; setting the property sends the new value.
    public var value: Output {
        get { last }
        set { send(newValue) }
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.attach(subscriber)
    }

    /// Stores a value and sends it.
    public func send(_ value: Output) {
        guard !broadcast.isOver else { return }
        last = value
        broadcast.send(value)
    }

    /// Sends a completion.
    public func send(completion: Subscribers.Completion<Failure>) { broadcast.finish(completion) }

    /// Passes on the values of another publisher.
    public func send(subscription: any Subscription) { broadcast.follow(subscription) }
}
