extension Publisher {
    /// Delivers everything on a scheduler.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { downstream in
            self.receive(
                subscriber: ScheduledStage(downstream) { action in
                    scheduler.schedule(options: options, action)
                    return nil
                })
        }
    }

    /// Subscribes, requests and cancels on a scheduler.
    public func subscribe<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { downstream in
            let stage = RequestStage(downstream) { scheduler.schedule(options: options, $0) }
            scheduler.schedule(options: options) { self.receive(subscriber: stage) }
        }
    }

    /// Delivers the values and the completion after an interval.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.Operation<Output, Failure> {
        let origin = Origin(file: file, line: line)
        return Publishers.Operation { downstream in
            self.receive(
                subscriber: ScheduledStage(downstream) { action in
                    scheduler.once(after: interval, options, at: origin, action)
                })
        }
    }

    /// Delivers a value when an interval has passed without a further one.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.Operation<Output, Failure> {
        let origin = Origin(file: file, line: line)
        return Publishers.Operation { downstream in
            self.receive(
                subscriber: DebounceStage(downstream) { action in
                    scheduler.once(after: dueTime, options, at: origin, action)
                })
        }
    }

    /// Delivers the first value, and then at most one in each interval.
    ///
    /// - Parameters:
    ///   - interval: The interval.
    ///   - scheduler: The scheduler.
    ///   - latest: Whether the last value of an interval is delivered; otherwise its first.
    ///   - file: The file of the call, for the report of a leak.
    ///   - line: Its line there.
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Publishers.Operation<Output, Failure> {
        let origin = Origin(file: file, line: line)
        return Publishers.Operation { downstream in
            var last: S.SchedulerTimeType?
            self.receive(
                subscriber: ThrottleStage(downstream, latest: latest) { action in
                    let now = scheduler.now
                    let next = last.map { $0.advanced(by: interval) } ?? now
                    let begin = {
                        last = scheduler.now
                        action()
                    }
                    guard now < next else {
                        scheduler.schedule(options: nil, begin)
                        return nil
                    }
                    return scheduler.once(after: now.distance(to: next), nil, at: origin, begin)
                })
        }
    }

    /// Ends if no value comes for an interval.
    ///
    /// - Parameters:
    ///   - interval: The interval.
    ///   - scheduler: The scheduler.
    ///   - options: The scheduler's options.
    ///   - customError: Makes the error to fail with; without it, the publisher finishes.
    ///   - file: The file of the call, for the report of a leak.
    ///   - line: Its line there.
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.Operation<Output, Failure> {
        let origin = Origin(file: file, line: line)
        return Publishers.Operation { downstream in
            self.receive(
                subscriber: TimeoutStage(downstream, customError) { action in
                    scheduler.once(after: interval, options, at: origin, action)
                })
        }
    }
}

/// Runs code later.
///
/// - Returns: Ends the wait; nil if that is not needed.
private typealias Later = (_ action: @escaping () -> Void) -> (any Cancellable)?

/// A publisher whose values and completion are delivered later, in their order.
private final class ScheduledStage<Output, Failure: Error>: Stage<Output, Failure, Output, Failure> {
    private let later: Later
    private var waits: [(any Cancellable)?] = []

    init(_ downstream: Receiver<Output, Failure>, _ later: @escaping Later) {
        self.later = later
        super.init(downstream)
    }

    override func receive(_ input: Output) -> Subscribers.Demand {
        wait { [self] in
            guard let more = downstream?.receive(input), more > .none else { return }
            request(more)
        }
        return .none
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        wait { [self] in complete(completion) }
    }

    override func cancel() {
        let left = waits
        waits = []
        super.cancel()
        for wait in left { wait?.cancel() }
    }

    private func wait(_ action: @escaping () -> Void) {
        let isNeeded = downstream != nil
        guard isNeeded else { return }
        var hasBegun = false
        let wait = later { [self] in
            hasBegun = true
            if !waits.isEmpty { waits.removeFirst() }
            action()
        }
        // The immediate scheduler has run it by now.
        if !hasBegun { waits.append(wait) }
    }
}

/// A publisher whose requests and cancellation are made later.
private final class RequestStage<Output, Failure: Error>: Stage<Output, Failure, Output, Failure> {
    private let later: (_ action: @escaping () -> Void) -> Void

    init(_ downstream: Receiver<Output, Failure>, _ later: @escaping (_ action: @escaping () -> Void) -> Void) {
        self.later = later
        super.init(downstream)
    }

    override func request(_ demand: Subscribers.Demand) {
        later { super.request(demand) }
    }

    override func receive(_ input: Output) -> Subscribers.Demand { downstream?.receive(input) ?? .none }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        complete(completion)
    }

    override func cancel() {
        let last = upstream
        upstreamEnded()
        super.cancel()
        if let last { later { last.cancel() } }
    }
}

/// A publisher whose values are delivered after a pause.
///
/// What nobody has asked for by then is left out. The completion is delivered at once, and a value that waits is left out.
private final class DebounceStage<Output, Failure: Error>: Stage<Output, Failure, Output, Failure> {
    private let later: Later
    private var demand = Subscribers.Demand.none
    private var wait: (any Cancellable)?

    init(_ downstream: Receiver<Output, Failure>, _ later: @escaping Later) {
        self.later = later
        super.init(downstream)
    }

    override func receive(subscription: any Subscription) {
        super.receive(subscription: subscription)
        upstream?.request(.unlimited)
    }

    override func request(_ more: Subscribers.Demand) { demand += more }

    override func receive(_ input: Output) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        wait?.cancel()
        wait = later { [self] in
            wait = nil
            guard let downstream, demand > .none else { return }
            demand -= 1
            let more = downstream.receive(input)
            demand += more
        }
        return .none
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        complete(completion)
    }

    override func cancel() {
        let last = wait
        wait = nil
        super.cancel()
        last?.cancel()
    }
}

/// A publisher of which at most one value is delivered in each interval.
///
/// The completion comes after a value that waits.
private final class ThrottleStage<Output, Failure: Error>: Stage<Output, Failure, Output, Failure> {
    private let latest: Bool
    private let later: Later
    private var demand = Subscribers.Demand.none
    private var next: Output?
    private var isWaiting = false
    private var wait: (any Cancellable)?
    private var end: Subscribers.Completion<Failure>?

    init(_ downstream: Receiver<Output, Failure>, latest: Bool, _ later: @escaping Later) {
        (self.latest, self.later) = (latest, later)
        super.init(downstream)
    }

    override func receive(subscription: any Subscription) {
        super.receive(subscription: subscription)
        upstream?.request(.unlimited)
    }

    override func request(_ more: Subscribers.Demand) { demand += more }

    override func receive(_ input: Output) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        if latest || next == nil { next = input }
        guard !isWaiting else { return .none }
        isWaiting = true
        wait = later { [self] in deliver() }
        return .none
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        if isWaiting { end = completion } else { complete(completion) }
    }

    override func cancel() {
        let last = wait
        (wait, next) = (nil, nil)
        super.cancel()
        last?.cancel()
    }

    private func deliver() {
        let value = next
        (next, wait, isWaiting) = (nil, nil, false)
        if let downstream, let value, demand > .none {
            demand -= 1
            let more = downstream.receive(value)
            demand += more
        }
        if let end { complete(end) }
    }
}

/// A publisher that ends if no value comes in time.
private final class TimeoutStage<Output, Failure: Error>: Stage<Output, Failure, Output, Failure> {
    private let failure: (() -> Failure)?
    private let later: Later
    private var wait: (any Cancellable)?

    init(_ downstream: Receiver<Output, Failure>, _ failure: (() -> Failure)?, _ later: @escaping Later) {
        (self.failure, self.later) = (failure, later)
        super.init(downstream)
    }

    override func receive(subscription: any Subscription) {
        guard upstream == nil else { return subscription.cancel() }
        begin()
        super.receive(subscription: subscription)
    }

    override func receive(_ input: Output) -> Subscribers.Demand {
        guard let downstream else { return .none }
        begin()
        return downstream.receive(input)
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        complete(completion)
    }

    override func cancel() {
        let last = wait
        wait = nil
        super.cancel()
        last?.cancel()
    }

    private func begin() {
        wait?.cancel()
        wait = later { [self] in
            wait = nil
            complete(failure.map { .failure($0()) } ?? .finished)
        }
    }
}
