/// A publisher that sends values only after it is connected.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Begins to send values, and returns an object that ends the connection.
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    /// Connects when the first subscriber attaches, and ends the connection when the last subscriber has cancelled.
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publisher {
    /// Sends everything to all subscribers through one subject, which is created for the first subscriber.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Sends everything to all subscribers through one subscription, which exists while there are subscribers.
    public func share() -> Publishers.Autoconnect<Publishers.Multicast<Self, PassthroughSubject<Output, Failure>>> {
        multicast { PassthroughSubject() }.autoconnect()
    }
}

extension Publishers {
    /// A publisher whose subscribers all receive its values from one subject.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher.
        public let upstream: Upstream
        private let createSubject: () -> SubjectType
        private lazy var subject = createSubject()

        /// Creates a publisher that sends another publisher's values through a subject.
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            (self.upstream, self.createSubject) = (upstream, createSubject)
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subject.receive(subscriber: subscriber)
        }

        /// Subscribes the subject to the publisher.
        public func connect() -> any Cancellable { upstream.subscribe(subject) }
    }

    /// A publisher that is connected while it has subscribers.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher.
        public let upstream: Upstream
        private var count = 0
        private var connection: (any Cancellable)?

        /// Creates a publisher that connects another publisher as long as it has subscribers of its own.
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            count += 1
            let events = upstream.handleEvents(receiveCancel: { self.release() })
            events.receive(subscriber: subscriber)
            guard connection == nil, count > 0 else { return }
            connection = upstream.connect()
            // The subscriber may have cancelled meanwhile.
            endIfUnused()
        }

        private func release() {
            count -= 1
            endIfUnused()
        }

        private func endIfUnused() {
            guard count == 0 else { return }
            let last = connection
            connection = nil
            last?.cancel()
        }
    }
}
