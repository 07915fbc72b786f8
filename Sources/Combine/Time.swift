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

    /// Performs the subscription, requests and cancellation on a scheduler.
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
        operation(after: interval, scheduler, options, Origin(file: file, line: line)) { ScheduledStage($0, $1) }
    }

    /// Delivers a value if no further value arrives within an interval.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.Operation<Output, Failure> {
        operation(after: dueTime, scheduler, options, Origin(file: file, line: line)) {
            DebounceStage($0, requests: .unlimited, $1)
        }
    }

    /// Delivers the first value, then at most one value per interval: the last if `latest` is true, or else the first.
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

    /// Ends if no value arrives within an interval: fails with the error that `customError` creates, or finishes if
    /// `customError` is nil.
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.Operation<Output, Failure> {
        operation(after: interval, scheduler, options, Origin(file: file, line: line)) {
            TimeoutStage($0, customError, $1)
        }
    }

    private func operation<S: Scheduler>(
        after interval: S.SchedulerTimeType.Stride, _ scheduler: S, _ options: S.SchedulerOptions?, _ origin: Origin,
        _ make: @escaping (Receiver<Output, Failure>, @escaping Later) -> Receiver<Output, Failure>
    ) -> Publishers.Operation<Output, Failure> {
        Publishers.Operation { downstream in
            self.receive(
                subscriber: make(downstream) { action in
                    scheduler.once(after: interval, options, at: origin, action)
                })
        }
    }
}

/// Runs code later, and returns an object that ends the wait; returns nil if the code cannot be stopped.
private typealias Later = (_ action: @escaping () -> Void) -> (any Cancellable)?

/// A stage that passes requests and the cancellation on later.
private final class RequestStage<Output, Failure: Error>: PassingStage<Output, Failure> {
    private let later: (_ action: @escaping () -> Void) -> Void

    init(_ downstream: Receiver<Output, Failure>, _ later: @escaping (_ action: @escaping () -> Void) -> Void) {
        self.later = later
        super.init(downstream)
    }

    override func request(_ demand: Subscribers.Demand) {
        later { super.request(demand) }
    }

    override func cancel() {
        let last = upstream
        upstreamEnded()
        super.cancel()
        if let last { later { last.cancel() } }
    }
}

/// A stage that runs code later, unless the stage is cancelled first.
private class LaterStage<Output, Failure: Error>: PassingStage<Output, Failure> {
    private let later: Later
    private var waits = Backlog<(any Cancellable)?>()

    init(
        _ downstream: Receiver<Output, Failure>, requests ownRequest: Subscribers.Demand? = nil,
        _ later: @escaping Later
    ) {
        self.later = later
        super.init(downstream, requests: ownRequest)
    }

    override func cancel() {
        super.cancel()
        stopWaiting()
    }

    /// Runs code later, in the order of the calls.
    final func wait(_ action: @escaping () -> Void) {
        guard downstream != nil else { return }
        var hasRun = false
        let wait = later { [self] in
            hasRun = true
            _ = waits.popFirst()
            action()
        }
        // The immediate scheduler has already run the code.
        if !hasRun { waits.append(wait) }
    }

    final func stopWaiting() {
        var left = waits
        waits = Backlog()
        while let wait = left.popFirst() { wait?.cancel() }
    }
}

/// A stage that delivers values and the completion later, in their order.
private final class ScheduledStage<Output, Failure: Error>: LaterStage<Output, Failure> {
    override func receive(_ input: Output) -> Subscribers.Demand {
        wait { [self] in
            let more = send(input)
            if more > .none { upstream?.request(more) }
        }
        return .none
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        wait { [self] in complete(completion) }
    }
}

/// A stage that delivers a value after a pause, if the subscriber has requested a value before the pause ends.
///
/// The completion is delivered immediately, and a waiting value is dropped.
private final class DebounceStage<Output, Failure: Error>: LaterStage<Output, Failure> {
    override func receive(_ input: Output) -> Subscribers.Demand {
        stopWaiting()
        wait { [self] in
            if demand > .none { send(input) }
        }
        return .none
    }
}

/// A stage that delivers at most one value in each interval, and delivers the completion after a waiting value.
private final class ThrottleStage<Output, Failure: Error>: LaterStage<Output, Failure> {
    private let latest: Bool
    private var next: Output?
    private var end: Subscribers.Completion<Failure>?

    init(_ downstream: Receiver<Output, Failure>, latest: Bool, _ later: @escaping Later) {
        self.latest = latest
        super.init(downstream, requests: .unlimited, later)
    }

    override func receive(_ input: Output) -> Subscribers.Demand {
        guard downstream != nil else { return .none }
        let isFirst = next == nil
        if latest || isFirst { next = input }
        if isFirst { wait { [self] in deliver() } }
        return .none
    }

    override func receive(completion: Subscribers.Completion<Failure>) {
        upstreamEnded()
        if next == nil { complete(completion) } else { end = completion }
    }

    override func cancel() {
        next = nil
        super.cancel()
    }

    private func deliver() {
        let value = next
        next = nil
        if let value, demand > .none { send(value) }
        if let end { complete(end) }
    }
}

private final class TimeoutStage<Output, Failure: Error>: LaterStage<Output, Failure> {
    private let failure: (() -> Failure)?

    init(_ downstream: Receiver<Output, Failure>, _ failure: (() -> Failure)?, _ later: @escaping Later) {
        self.failure = failure
        super.init(downstream, later)
    }

    override func receive(subscription: any Subscription) {
        if upstream == nil { begin() }
        super.receive(subscription: subscription)
    }

    override func receive(_ input: Output) -> Subscribers.Demand {
        begin()
        return super.receive(input)
    }

    private func begin() {
        stopWaiting()
        wait { [self] in complete(failure.map { .failure($0()) } ?? .finished) }
    }
}
