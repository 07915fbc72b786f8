extension Publisher {
    /// Sends the values of the publishers that a closure returns, and subscribes to at most `maxPublishers` at a time.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Failure> where Child.Failure == Failure {
        Publishers.Operation { self.receive(subscriber: MergeStage($0, maxPublishers, transform)) }
    }

    /// Sends the values of publishers that a closure returns and that cannot fail.
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
}

extension Publisher where Failure == Never {
    /// Sends the values of publishers that a closure returns and that may fail.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Child.Failure> {
        setFailureType(to: Child.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Sends the values of publishers that a closure returns; neither these publishers nor this publisher can fail.
    public func flatMap<Child: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
    ) -> Publishers.Operation<Child.Output, Never> where Child.Failure == Never {
        Publishers.Operation { self.receive(subscriber: MergeStage($0, maxPublishers, transform)) }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Sends the values of the newest publisher that this publisher has sent.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Failure> {
        Publishers.Operation { self.receive(subscriber: LatestStage($0)) }
    }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// Sends the values and the error of the newest publisher that this publisher has sent.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Output.Failure> {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// Sends the values of the newest publisher that this publisher has sent; only this publisher may fail.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Failure> {
        map { $0.setFailureType(to: Failure.self) }.switchToLatest()
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// Sends the values of the newest publisher that this publisher has sent.
    public func switchToLatest() -> Publishers.Operation<Output.Output, Never> {
        Publishers.Operation { self.receive(subscriber: LatestStage($0)) }
    }
}

extension Publishers {
    /// The values of several publishers of one type.
    public struct MergeMany<Upstream: Publisher>: CompositePublisher {
        /// The publishers.
        public let publishers: [Upstream]

        /// Creates a publisher from several publishers.
        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        /// Creates a publisher from a sequence of publishers.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
            publishers = Array(upstream)
        }

        /// The values of the publishers.
        public var body: Operation<Upstream.Output, Upstream.Failure> {
            Sequence<[Upstream], Upstream.Failure>(sequence: publishers).flatMap { $0 }
        }
    }

    /// The values of two publishers.
    public struct Merge<A: Publisher, B: Publisher>: CompositePublisher
    where A.Output == B.Output, A.Failure == B.Failure {
        /// The values of the publishers.
        public let body: MergeMany<AnyPublisher<A.Output, A.Failure>>

        /// Creates a publisher from two publishers.
        public init(_ a: A, _ b: B) {
            body = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher())
        }
    }

    /// The values of three publishers.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: CompositePublisher
    where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
        /// The values of the publishers.
        public let body: MergeMany<AnyPublisher<A.Output, A.Failure>>

        /// Creates a publisher from three publishers.
        public init(_ a: A, _ b: B, _ c: C) {
            body = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher())
        }
    }

    /// The values of four publishers.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: CompositePublisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure
    {
        /// The values of the publishers.
        public let body: MergeMany<AnyPublisher<A.Output, A.Failure>>

        /// Creates a publisher from four publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            body = MergeMany(
                a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher())
        }
    }
}

/// A subscription to several publishers, in which values wait until the subscriber requests them.
private final class MergeStage<Input, Child: Publisher>: Stage<Input, Child.Failure, Child.Output, Child.Failure> {
    private let limit: Subscribers.Demand
    private let transform: (Input) -> Child
    private var children: [Inlet<Child.Output, Child.Failure>] = []
    private var waiting = Backlog<(value: Child.Output, source: Inlet<Child.Output, Child.Failure>)>()
    private var isSending = false
    private var isOver = false

    init(
        _ downstream: Receiver<Child.Output, Child.Failure>, _ limit: Subscribers.Demand,
        _ transform: @escaping (Input) -> Child
    ) {
        (self.limit, self.transform) = (limit, transform)
        super.init(downstream, requests: limit)
    }

    override func request(_ more: Subscribers.Demand) {
        super.request(more)
        sendWaiting()
    }

    override func receive(_ input: Input) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        var inlet: Inlet<Child.Output, Child.Failure>?
        let isUnlimited = demand == .unlimited
        let child = Inlet<Child.Output, Child.Failure>({ [self] value in
            guard demand > .none else {
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
        let left = (children, waiting)
        (children, waiting) = ([], Backlog())
        super.cancel()
        for child in left.0 { child.cancel() }
        withExtendedLifetime(left) {}
    }

    /// Sends the waiting values that were requested, including values that are requested during this loop.
    private func sendWaiting() {
        guard !isSending else { return }
        isSending = true
        while demand > .none, let next = waiting.popFirst() {
            send(next.value)
            next.source.request(.max(1))
        }
        isSending = false
        finishIfDone()
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

/// A subscription to the newest of the publishers that the upstream sends.
private final class LatestStage<Child: Publisher>: Stage<Child, Child.Failure, Child.Output, Child.Failure> {
    private lazy var children = Succession<Child.Output> { [self] in send($0) }
    private var hasChild = false
    private var isOver = false

    init(_ downstream: Receiver<Child.Output, Child.Failure>) {
        super.init(downstream, requests: .unlimited)
    }

    override func request(_ more: Subscribers.Demand) {
        super.request(more)
        children.request(more)
    }

    override func receive(_ input: Child) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        hasChild = true
        children.follow(input) { [self] in
            hasChild = false
            ended($0)
        }
        return .none
    }

    override func receive(completion: Subscribers.Completion<Child.Failure>) {
        upstreamEnded()
        isOver = true
        ended(completion)
    }

    override func cancel() {
        super.cancel()
        children.cancel()
    }

    private func ended(_ completion: Subscribers.Completion<Child.Failure>) {
        if case .failure = completion { complete(completion) } else if isOver, !hasChild { complete(.finished) }
    }
}
