/// A publisher of one value.
public struct Just<Output>: CompositePublisher {
    /// The value.
    public let output: Output

    /// Creates a publisher of a value.
    public init(_ output: Output) {
        self.output = output
    }

    /// The publisher of the value.
    public var body: Publishers.Sequence<CollectionOfOne<Output>, Never> {
        Publishers.Sequence(sequence: CollectionOfOne(output))
    }
}

/// A publisher without values, which finishes at once or never.
public struct Empty<Output, Failure: Error>: Publisher {
    /// A Boolean value indicating whether the publisher finishes at once.
    public let completeImmediately: Bool

    /// Creates a publisher.
    public init(completeImmediately: Bool = true) {
        self.completeImmediately = completeImmediately
    }

    /// Creates a publisher with explicit types.
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.init(completeImmediately: completeImmediately)
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}

/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The error.
    public let error: Failure

    /// Creates a publisher of an error.
    public init(error: Failure) {
        self.error = error
    }

    /// Creates a publisher with explicit types.
    public init(outputType: Output.Type, failure: Failure) {
        error = failure
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

/// A publisher that a closure creates for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: CompositePublisher {
    /// Creates the publisher for each subscriber.
    public let createPublisher: () -> DeferredPublisher

    /// Creates a publisher that a closure creates for each subscriber.
    public init(createPublisher: @escaping () -> DeferredPublisher) {
        self.createPublisher = createPublisher
    }

    /// A new publisher, for one subscriber.
    public var body: DeferredPublisher { createPublisher() }
}

/// A publisher of one value or error, which a closure provides now or later, once for all subscribers.
public final class Future<Output, Failure: Error>: Publisher {
    /// Provides the result; further calls have no effect.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private var result: Result<Output, Failure>?
    private var waiting: [Waiter] = []

    /// Creates a publisher, and immediately calls a closure that provides the result.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { self.fulfill($0) }
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let waiter = Waiter(Receiver.of(subscriber), self)
        if result == nil { waiting.append(waiter) }
        subscriber.receive(subscription: waiter)
        waiter.deliver()
    }

    private func fulfill(_ result: Result<Output, Failure>) {
        guard self.result == nil else { return }
        self.result = result
        let subscribers = waiting
        waiting = []
        for subscriber in subscribers { subscriber.deliver() }
    }

    private final class Waiter: Subscription {
        private var downstream: Receiver<Output, Failure>?
        private var future: Future?
        private var isWanted = false

        init(_ downstream: Receiver<Output, Failure>, _ future: Future) {
            (self.downstream, self.future) = (downstream, future)
        }

        func request(_ demand: Subscribers.Demand) {
            isWanted = isWanted || demand > .none
            deliver()
        }

        func cancel() {
            let (downstream, future) = (downstream, future)
            (self.downstream, self.future) = (nil, nil)
            future?.waiting.removeAll { $0 === self }
            withExtendedLifetime(downstream) {}
        }

        /// Delivers the error, or the value if the subscriber has requested a value.
        func deliver() {
            guard let result = future?.result, let downstream else { return }
            switch result {
            case .success(let value):
                guard isWanted else { return }
                (self.downstream, future) = (nil, nil)
                _ = downstream.receive(value)
                downstream.receive(completion: .finished)
            case .failure(let failure):
                (self.downstream, future) = (nil, nil)
                downstream.receive(completion: .failure(failure))
            }
        }
    }
}

extension Publishers {
    /// A publisher of a sequence's elements.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// The type of the elements.
        public typealias Output = Elements.Element

        /// The elements.
        public let sequence: Elements

        /// Creates a publisher of a sequence.
        public init(sequence: Elements) {
            self.sequence = sequence
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            ElementSubscription.begin(sequence, subscriber)
        }
    }
}

extension Sequence {
    /// The publisher of the elements.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Optional {
    /// The publisher of the value, if there is one.
    public var publisher: Publishers.Sequence<[Wrapped], Never> {
        Publishers.Sequence(sequence: map { [$0] } ?? [])
    }
}

extension Result {
    /// The publisher of the value or the error.
    public var publisher: AnyPublisher<Success, Failure> {
        switch self {
        case .success(let value): Just(value).setFailureType(to: Failure.self).eraseToAnyPublisher()
        case .failure(let failure): Fail(error: failure).eraseToAnyPublisher()
        }
    }
}

/// A subscription that sends elements as they are requested.
private final class ElementSubscription<Iterator: IteratorProtocol, Failure: Error>: Subscription {
    private var iterator: Iterator
    private var next: Iterator.Element?
    private var downstream: Receiver<Iterator.Element, Failure>?
    private var demand = Subscribers.Demand.none
    private var isSending = false

    private init(_ iterator: Iterator, _ downstream: Receiver<Iterator.Element, Failure>) {
        self.iterator = iterator
        self.downstream = downstream
    }

    static func begin<Elements: Sequence, S: Subscriber>(_ elements: Elements, _ subscriber: S)
    where Elements.Iterator == Iterator, S.Input == Iterator.Element, S.Failure == Failure {
        let subscription = ElementSubscription(elements.makeIterator(), Receiver.of(subscriber))
        subscription.next = subscription.iterator.next()
        subscriber.receive(subscription: subscription)
        // Without elements, the publisher finishes even if nothing was requested.
        if subscription.next == nil { subscription.finish() }
    }

    func request(_ more: Subscribers.Demand) {
        demand += more
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while demand > .none, let downstream, let element = next {
            demand -= 1
            next = iterator.next()
            let more = downstream.receive(element)
            demand += more
            if next == nil { finish() }
        }
    }

    func cancel() {
        let downstream = downstream
        self.downstream = nil
        withExtendedLifetime(downstream) {}
    }

    private func finish() {
        let downstream = downstream
        self.downstream = nil
        downstream?.receive(completion: .finished)
    }
}
