public import Usher

extension NotificationCenter {
    /// Returns a publisher of the notifications with a name, from one object or, if `object` is nil, from any object.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// A publisher of the notifications with a name, which drops notifications that a subscriber has not requested.
    public struct Publisher: Combine.Publisher {
        /// The type of the values.
        public typealias Output = Notification
        /// Notifications cannot fail.
        public typealias Failure = Never

        /// The centre.
        public let center: NotificationCenter
        /// The name.
        public let name: Notification.Name
        /// The object that posts the notifications; nil for any object.
        public let object: AnyObject?

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let broadcast = Broadcast<Notification, Never>()
            let token = center.addObserver(forName: name, object: object, queue: nil) { broadcast.send($0) }
            let end = Publishers.Operation<Notification, Never> { broadcast.attach($0) }
                .handleEvents(receiveCancel: { center.removeObserver(token) })
            end.receive(subscriber: subscriber)
        }
    }
}

extension Timer {
    /// Returns a publisher that sends the session's time every `interval` seconds, once the publisher is connected.
    ///
    /// The other parameters have no effect: a session's timers are exact, and there is only one run loop.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerPublisher {
        TimerPublisher(interval, Origin(file: file, line: line))
    }

    /// A publisher of the session's time.
    public final class TimerPublisher: ConnectablePublisher {
        /// The type of the values.
        public typealias Output = Date
        /// A timer cannot fail.
        public typealias Failure = Never

        /// The seconds between two values.
        public let interval: TimeInterval
        private let origin: Origin
        private let broadcast = Broadcast<Date, Never>()

        init(_ interval: TimeInterval, _ origin: Origin) {
            (self.interval, self.origin) = (interval, origin)
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            broadcast.attach(subscriber)
        }

        /// Begins the timer.
        public func connect() -> any Cancellable {
            // Safe because the session's thread fires the timer.
            nonisolated(unsafe) let broadcast = broadcast
            let timer = Timer.scheduledTimer(
                withTimeInterval: interval, repeats: true, file: origin.file, line: origin.line
            ) { timer in
                unsafe broadcast.send(UIKitSession.current?.now ?? Date())
            }
            return AnyCancellable { timer.invalidate() }
        }
    }
}

extension Effect {
    /// Returns a publisher that performs the effect and sends its output.
    ///
    /// ```swift
    /// func items() -> AnyPublisher<[Item], any Error> {
    ///     LoadItems().publisher().mapError { $0 }.eraseToAnyPublisher()
    /// }
    /// ```
    ///
    /// For each subscriber, the effect begins when the subscriber first requests a value. Cancelling the subscription
    /// cancels the effect.
    public func publisher(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.Operation<Output, EffectFailure> {
        Publishers.Operation { downstream in
            downstream.receive(subscription: EffectSubscription(self, downstream, Origin(file: file, line: line)))
        }
    }
}

private final class EffectSubscription<E: Effect>: Subscription {
    private let effect: E
    private let origin: Origin
    private var downstream: Receiver<E.Output, EffectFailure>?
    private var work: SessionWork?

    init(_ effect: E, _ downstream: Receiver<E.Output, EffectFailure>, _ origin: Origin) {
        (self.effect, self.downstream, self.origin) = (effect, downstream, origin)
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, work == nil, downstream != nil else { return }
        // Safe because the result arrives on the session's thread.
        nonisolated(unsafe) let me = self
        work = effect.perform(file: origin.file, line: origin.line) { unsafe me.end($0) }
    }

    func cancel() {
        let (last, downstream) = (work, downstream)
        (work, self.downstream) = (nil, nil)
        last?.cancel()
        withExtendedLifetime(downstream) {}
    }

    private func end(_ result: Result<E.Output, EffectFailure>) {
        let downstream = downstream
        (work, self.downstream) = (nil, nil)
        switch result {
        case .success(let output):
            _ = downstream?.receive(output)
            downstream?.receive(completion: .finished)
        case .failure(let failure): downstream?.receive(completion: .failure(failure))
        }
    }
}
