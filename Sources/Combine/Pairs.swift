extension Publisher {
    /// Sends the newest values of both publishers, once each publisher has sent a value.
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where P.Failure == Failure { Publishers.CombineLatest(self, other) }

    /// Sends the results of a closure for the newest values of both publishers.
    public func combineLatest<P: Publisher, Value>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> Value
    ) -> Publishers.Operation<Value, Failure> where P.Failure == Failure {
        combineLatest(other).map { transform($0, $1) }
    }

    /// Sends the newest values of three publishers, once each publisher has sent a value.
    public func combineLatest<B: Publisher, C: Publisher>(_ b: B, _ c: C) -> Publishers.CombineLatest3<Self, B, C>
    where B.Failure == Failure, C.Failure == Failure { Publishers.CombineLatest3(self, b, c) }

    /// Sends the results of a closure for the newest values of three publishers.
    public func combineLatest<B: Publisher, C: Publisher, Value>(
        _ b: B, _ c: C, _ transform: @escaping (Output, B.Output, C.Output) -> Value
    ) -> Publishers.Operation<Value, Failure> where B.Failure == Failure, C.Failure == Failure {
        combineLatest(b, c).map { transform($0, $1, $2) }
    }

    /// Sends the newest values of four publishers, once each publisher has sent a value.
    public func combineLatest<B: Publisher, C: Publisher, D: Publisher>(
        _ b: B, _ c: C, _ d: D
    ) -> Publishers.CombineLatest4<Self, B, C, D>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        Publishers.CombineLatest4(self, b, c, d)
    }

    /// Sends the values of both publishers in pairs, the oldest first.
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
        Publishers.Zip(self, other)
    }

    /// Sends the results of a closure for the values of both publishers in pairs.
    public func zip<P: Publisher, Value>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> Value
    ) -> Publishers.Operation<Value, Failure> where P.Failure == Failure {
        zip(other).map { transform($0, $1) }
    }

    /// Sends the values of three publishers in triples, the oldest first.
    public func zip<B: Publisher, C: Publisher>(_ b: B, _ c: C) -> Publishers.Zip3<Self, B, C>
    where B.Failure == Failure, C.Failure == Failure { Publishers.Zip3(self, b, c) }

    /// Sends the values of four publishers in quadruples, the oldest first.
    public func zip<B: Publisher, C: Publisher, D: Publisher>(_ b: B, _ c: C, _ d: D) -> Publishers.Zip4<Self, B, C, D>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure { Publishers.Zip4(self, b, c, d) }
}

extension Publishers {
    /// The newest values of two publishers.
    public struct CombineLatest<A: Publisher, B: Publisher>: CompositePublisher where A.Failure == B.Failure {
        /// The values of the publishers.
        public let body: Operation<(A.Output, B.Output), A.Failure>

        /// Creates a publisher from two publishers.
        public init(_ a: A, _ b: B) {
            body = Operation { PairSubscription($0, keepsLast: true).begin(a, b) }
        }
    }

    /// The newest values of three publishers.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: CompositePublisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        /// The values of the publishers.
        public let body: Operation<(A.Output, B.Output, C.Output), A.Failure>

        /// Creates a publisher from three publishers.
        public init(_ a: A, _ b: B, _ c: C) {
            body = CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }
        }
    }

    /// The newest values of four publishers.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: CompositePublisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
        /// The values of the publishers.
        public let body: Operation<(A.Output, B.Output, C.Output, D.Output), A.Failure>

        /// Creates a publisher from four publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            body = CombineLatest(CombineLatest3(a, b, c), d).map { ($0.0, $0.1, $0.2, $1) }
        }
    }

    /// The values of two publishers in pairs.
    public struct Zip<A: Publisher, B: Publisher>: CompositePublisher where A.Failure == B.Failure {
        /// The values of the publishers.
        public let body: Operation<(A.Output, B.Output), A.Failure>

        /// Creates a publisher from two publishers.
        public init(_ a: A, _ b: B) {
            body = Operation { PairSubscription($0, keepsLast: false).begin(a, b) }
        }
    }

    /// The values of three publishers in triples.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: CompositePublisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        /// The values of the publishers.
        public let body: Operation<(A.Output, B.Output, C.Output), A.Failure>

        /// Creates a publisher from three publishers.
        public init(_ a: A, _ b: B, _ c: C) {
            body = Zip(Zip(a, b), c).map { ($0.0, $0.1, $1) }
        }
    }

    /// The values of four publishers in quadruples.
    public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: CompositePublisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
        /// The values of the publishers.
        public let body: Operation<(A.Output, B.Output, C.Output, D.Output), A.Failure>

        /// Creates a publisher from four publishers.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            body = Zip(Zip3(a, b, c), d).map { ($0.0, $0.1, $0.2, $1) }
        }
    }
}

/// A subscription to two publishers, whose values are sent in pairs.
///
/// Each request goes to both publishers. With `keepsLast`, a publisher's newest value is used in pairs until the
/// publisher sends another value, even if no pair was requested meanwhile. Without `keepsLast`, each value is used in
/// one pair.
private final class PairSubscription<A, B, Failure: Error>: Subscription {
    private var downstream: Receiver<(A, B), Failure>?
    private let keepsLast: Bool
    private var demand = Subscribers.Demand.none
    private var first = Backlog<A>()
    private var second = Backlog<B>()
    private var inlets: (a: Inlet<A, Failure>, b: Inlet<B, Failure>)?

    init(_ downstream: Receiver<(A, B), Failure>, keepsLast: Bool) {
        (self.downstream, self.keepsLast) = (downstream, keepsLast)
    }

    func begin<P: Publisher, Q: Publisher>(_ a: P, _ b: Q)
    where P.Output == A, Q.Output == B, P.Failure == Failure, Q.Failure == Failure {
        let (one, other) = (inlet(to: \.first), inlet(to: \.second))
        inlets = (one, other)
        downstream?.receive(subscription: self)
        a.receive(subscriber: one)
        b.receive(subscriber: other)
    }

    private func inlet<Value>(
        to values: ReferenceWritableKeyPath<PairSubscription, Backlog<Value>>
    ) -> Inlet<Value, Failure> {
        Inlet({ [self] in
            if keepsLast { _ = self[keyPath: values].popFirst() }
            self[keyPath: values].append($0)
            send()
            return .none
        }) { [self] in
            if case .failure = $0 { finish($0) } else { finishIfDone() }
        }
    }

    func request(_ more: Subscribers.Demand) {
        demand += more
        inlets?.a.request(more)
        inlets?.b.request(more)
    }

    func cancel() {
        let left = (downstream, inlets)
        (downstream, inlets) = (nil, nil)
        left.1?.a.cancel()
        left.1?.b.cancel()
        withExtendedLifetime(left) {}
    }

    private func send() {
        guard let downstream, demand > .none, let a = first.first, let b = second.first else { return }
        if !keepsLast {
            _ = first.popFirst()
            _ = second.popFirst()
        }
        demand -= 1
        let more = downstream.receive((a, b))
        if more > .none { request(more) }
        finishIfDone()
    }

    private func finishIfDone() {
        guard let inlets else { return }
        let (endsA, endsB) = (inlets.a.isOver, inlets.b.isOver)
        let isDone = keepsLast ? endsA && endsB : (endsA && first.isEmpty) || (endsB && second.isEmpty)
        if isDone { finish(.finished) }
    }

    private func finish(_ completion: Subscribers.Completion<Failure>) {
        let downstream = downstream
        cancel()
        downstream?.receive(completion: completion)
    }
}
