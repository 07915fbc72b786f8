public import Usher

extension NotificationCenter {
    /// Returns the publisher of the notifications of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The object that posts; nil for any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// The publisher of the notifications of a name.
    ///
    /// A subscriber misses what it has not asked for.
    public struct Publisher: Combine.Publisher {
        /// The type of the values.
        public typealias Output = Notification
        /// Notifications cannot fail.
        public typealias Failure = Never

        /// The centre.
        public let center: NotificationCenter
        /// The name.
        public let name: Notification.Name
        /// The object that posts; nil for any.
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
    /// Returns a publisher of the session's time, in each interval once it is connected.
    ///
    /// - Parameters:
    ///   - interval: The seconds between two values.
    ///   - tolerance: Of no meaning in a session: its timers come due when they are due.
    ///   - runLoop: The run loop; there is one.
    ///   - mode: Of no meaning in a session.
    ///   - options: Of no meaning in a session.
    ///   - file: The file of the call, for the report of a leak.
    ///   - line: Its line there.
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
            // Because the session's thread is the one that fires the timer.
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
    /// Returns the publisher of the effect's output, for a repository that returns publishers.
    ///
    /// ```swift
    /// func items() -> AnyPublisher<[Item], any Error> {
    ///     LoadItems().publisher().mapError { $0 }.eraseToAnyPublisher()
    /// }
    /// ```
    ///
    /// The effect begins when a subscriber first asks for a value, for each subscriber anew. Cancelling the
    /// subscription gives the effect up.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for the report of a leak.
    ///   - line: Its line there.
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
        // Because the session's thread is the one that brings the result.
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
