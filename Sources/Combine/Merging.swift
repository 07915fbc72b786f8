extension Publisher {
    /// Sends the values of the publishers that a closure makes of the values.
    ///
    /// - Parameters:
    ///   - maxPublishers: The number of publishers that are followed at a time.
    ///   - transform: Makes a publisher of a value.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Failure> where Child.Failure == Failure {
        Publishers.Operation { self.receive(subscriber: MergeStage($0, maxPublishers, transform)) }
    }

    /// Sends the values of publishers that cannot fail.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Failure> where Child.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }

    /// Sends the values of this and another publisher.
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
    where P.Output == Output, P.Failure == Failure { Publishers.Merge(self, other) }

    /// Sends the values of this and two other publishers.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.Merge3(self, b, c)
    }

    /// Sends the values of this and three other publishers.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.Merge4<Self, B, C, D>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
        D.Failure == Failure
    { Publishers.Merge4(self, b, c, d) }

    /// Sends values before this publisher's.
    public func prepend(_ elements: Output...) -> Publishers.Operation<Output, Failure> { prepend(elements) }

    /// Sends the elements of a sequence before this publisher's values.
    public func prepend<S: Sequence>(
        _ elements: S
    ) -> Publishers.Operation<Output, Failure> where S.Element == Output {
        prepend(Publishers.Sequence<S, Failure>(sequence: elements))
    }

    /// Sends the values of another publisher before this one's.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Operation<Output, Failure>
    where P.Output == Output, P.Failure == Failure {
        Publishers.concatenate([publisher.eraseToAnyPublisher(), eraseToAnyPublisher()])
    }

    /// Sends values after this publisher's.
    public func append(_ elements: Output...) -> Publishers.Operation<Output, Failure> {
        append(Publishers.Sequence<[Output], Failure>(sequence: elements))
    }

    /// Sends the values of another publisher after this one's.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Operation<Output, Failure>
    where P.Output == Output, P.Failure == Failure {
        Publishers.concatenate([eraseToAnyPublisher(), publisher.eraseToAnyPublisher()])
    }
}

extension Publisher where Failure == Never {
    /// Sends the values of publishers that may fail.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Child.Failure> {
        setFailureType(to: Child.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Sends the values of publishers that cannot fail either.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Never> where Child.Failure == Never {
        Publishers.Operation { self.receive(subscriber: MergeStage($0, maxPublishers, transform)) }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Sends the values of the publisher that came last.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Failure> {
        Publishers.Operation { self.receive(subscriber: LatestStage($0)) }
    }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// Sends the values of the publisher that came last, which may fail.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Output.Failure> {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// Sends the values of the publisher that came last.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Never> {
        Publishers.Operation { self.receive(subscriber: LatestStage($0)) }
    }
}

extension Publishers {
    /// The values of several publishers of one type.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publishers.
        public let publishers: [Upstream]

        /// Creates a publisher of several.
        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        /// Creates a publisher of several.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
            publishers = Array(upstream)
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Sequence<[Upstream], Failure>(sequence: publishers).flatMap { $0 }.receive(subscriber: subscriber)
        }
    }

    /// The values of two publishers.
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        /// The type of the values.
        public typealias Output = A.Output
        /// The type of the errors.
        public typealias Failure = A.Failure

        private let all: MergeMany<AnyPublisher<Output, Failure>>

        /// Creates a publisher of two.
        public init(_ a: A, _ b: B) {
            all = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher())
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            all.receive(subscriber: subscriber)
        }
    }

    /// The values of three publishers.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
        /// The type of the values.
        public typealias Output = A.Output
        /// The type of the errors.
        public typealias Failure = A.Failure

        private let all: Merge<Merge<A, B>, C>

        /// Creates a publisher of three.
        public init(_ a: A, _ b: B, _ c: C) {
            all = Merge(Merge(a, b), c)
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            all.receive(subscriber: subscriber)
        }
    }

    /// The values of four publishers.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure
    {
        /// The type of the values.
        public typealias Output = A.Output
        /// The type of the errors.
        public typealias Failure = A.Failure

        private let all: Merge<Merge3<A, B, C>, D>

        /// Creates a publisher of four.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            all = Merge(Merge3(a, b, c), d)
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            all.receive(subscriber: subscriber)
        }
    }

    /// Returns the values of publishers one after the other.
    fileprivate static func concatenate<Output, Failure>(
        _ publishers: [AnyPublisher<Output, Failure>]
    ) -> Operation<Output, Failure> {
        Sequence<[AnyPublisher<Output, Failure>], Failure>(sequence: publishers).flatMap(maxPublishers: .max(1)) { $0 }
    }
}

/// Several publishers in one subscription.
///
/// What the subscriber has not asked for waits.
private final class MergeStage<Input, Child: Publisher>: Stage<Input, Child.Failure, Child.Output, Child.Failure> {
    private let limit: Subscribers.Demand
    private let transform: (Input) -> Child
    private var children: [Inlet<Child.Output, Child.Failure>] = []
    private var demand = Subscribers.Demand.none
    private var waiting: ArraySlice<(value: Child.Output, source: Inlet<Child.Output, Child.Failure>)> = []
    private var isOver = false

    init(
        _ downstream: Receiver<Child.Output, Child.Failure>, _ limit: Subscribers.Demand,
        _ transform: @escaping (Input) -> Child
    ) {
        (self.limit, self.transform) = (limit, transform)
        super.init(downstream)
    }

    override func receive(subscription: any Subscription) {
        super.receive(subscription: subscription)
        upstream?.request(limit)
    }

    override func request(_ more: Subscribers.Demand) {
        demand += more
        sendWaiting()
        finishIfDone()
    }

    override func receive(_ input: Input) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        var inlet: Inlet<Child.Output, Child.Failure>?
        let isUnlimited = demand == .unlimited
        let child = Inlet<Child.Output, Child.Failure>({ [self] value in
            guard demand > .none || isUnlimited else {
                if let inlet { waiting.append((value, inlet)) }
                return .none
            }
            send(value)
            sendWaiting()
            return isUnlimited ? .none : .max(1)
        }) { [self] completion in
            let ended = inlet
            inlet = nil
            childEnded(ended, completion)
        }
        inlet = child
        children.append(child)
        child.request(isUnlimited ? .unlimited : .max(1))
        transform(input).receive(subscriber: child)
        return .none
    }

    override func receive(completion: Subscribers.Completion<Child.Failure>) {
        upstreamEnded()
        isOver = true
        if case .failure = completion { complete(completion) } else { finishIfDone() }
    }

    override func cancel() {
        let left = children
        children = []
        waiting = []
        super.cancel()
        for child in left { child.cancel() }
    }

    private func send(_ value: Child.Output) {
        guard let downstream else { return }
        demand -= 1
        let more = downstream.receive(value)
        demand += more
    }

    private func sendWaiting() {
        while demand > .none, let next = waiting.popFirst() {
            send(next.value)
            next.source.request(.max(1))
        }
    }

    private func childEnded(
        _ child: Inlet<Child.Output, Child.Failure>?, _ completion: Subscribers.Completion<Child.Failure>
    ) {
        children.removeAll { $0 === child }
        if case .failure = completion { return complete(completion) }
        if limit != .unlimited { upstream?.request(.max(1)) }
        finishIfDone()
    }

    private func finishIfDone() {
        if isOver, children.isEmpty, waiting.isEmpty, downstream != nil { complete(.finished) }
    }
}

/// The publisher that came last, in one subscription.
private final class LatestStage<Child: Publisher>: Stage<Child, Child.Failure, Child.Output, Child.Failure> {
    private var child: Inlet<Child.Output, Child.Failure>?
    private var demand = Subscribers.Demand.none
    private var isOver = false

    override func receive(subscription: any Subscription) {
        super.receive(subscription: subscription)
        upstream?.request(.unlimited)
    }

    override func request(_ more: Subscribers.Demand) {
        demand += more
        child?.request(more)
    }

    override func receive(_ input: Child) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        child?.cancel()
        let next = Inlet<Child.Output, Child.Failure>({ [self] value in
            guard let downstream else { return .none }
            demand -= 1
            let more = downstream.receive(value)
            demand += more
            return more
        }) { [self] completion in
            child = nil
            if case .failure = completion { return complete(completion) }
            if isOver { complete(.finished) }
        }
        child = next
        next.request(demand)
        input.receive(subscriber: next)
        return .none
    }

    override func receive(completion: Subscribers.Completion<Child.Failure>) {
        upstreamEnded()
        isOver = true
        if case .failure = completion { return complete(completion) }
        if child == nil { complete(.finished) }
    }

    override func cancel() {
        let last = child
        child = nil
        super.cancel()
        last?.cancel()
    }
}
