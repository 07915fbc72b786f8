/// The names of Apple's types, for operators that an app writes itself.
extension Publishers {
    /// What an operator returns that changes neither values nor errors.
    public typealias Same<Upstream: Publisher> = Operation<Upstream.Output, Upstream.Failure>
    /// What `map(_:)` returns.
    public typealias Map<Upstream: Publisher, Output> = Operation<Output, Upstream.Failure>
    /// What `tryMap(_:)` returns.
    public typealias TryMap<Upstream: Publisher, Output> = Operation<Output, any Error>
    /// What `compactMap(_:)` returns.
    public typealias CompactMap<Upstream: Publisher, Output> = Operation<Output, Upstream.Failure>
    /// What `scan(_:_:)` returns.
    public typealias Scan<Upstream: Publisher, Output> = Operation<Output, Upstream.Failure>
    /// What `filter(_:)` returns.
    public typealias Filter<Upstream: Publisher> = Same<Upstream>
    /// What `removeDuplicates()` returns.
    public typealias RemoveDuplicates<Upstream: Publisher> = Same<Upstream>
    /// What `dropFirst(_:)` returns.
    public typealias Drop<Upstream: Publisher> = Same<Upstream>
    /// What `first()` returns.
    public typealias First<Upstream: Publisher> = Same<Upstream>
    /// What `handleEvents` returns.
    public typealias HandleEvents<Upstream: Publisher> = Same<Upstream>
    /// What `retry(_:)` returns.
    public typealias Retry<Upstream: Publisher> = Same<Upstream>
    /// What `receive(on:)` returns.
    public typealias ReceiveOn<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// What `subscribe(on:)` returns.
    public typealias SubscribeOn<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// What `delay(for:scheduler:)` returns.
    public typealias Delay<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// What `debounce(for:scheduler:)` returns.
    public typealias Debounce<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// What `throttle(for:scheduler:latest:)` returns.
    public typealias Throttle<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// What `timeout(_:scheduler:)` returns.
    public typealias Timeout<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// What `mapError(_:)` returns.
    public typealias MapError<Upstream: Publisher, Failure: Error> = Operation<Upstream.Output, Failure>
    /// What `setFailureType(to:)` returns.
    public typealias SetFailureType<Upstream: Publisher, Failure: Error> = Operation<Upstream.Output, Failure>
    /// What `replaceError(with:)` returns.
    public typealias ReplaceError<Upstream: Publisher> = Operation<Upstream.Output, Never>
    /// What `flatMap(_:)` returns.
    public typealias FlatMap<NewPublisher: Publisher, Upstream: Publisher> =
        Operation<NewPublisher.Output, Upstream.Failure>
    /// What `switchToLatest()` returns.
    public typealias SwitchToLatest<P: Publisher, Upstream: Publisher> = Operation<P.Output, Upstream.Failure>
    /// What `catch(_:)` returns.
    public typealias Catch<Upstream: Publisher, NewPublisher: Publisher> =
        Operation<Upstream.Output, NewPublisher.Failure>
    /// What `share()` returns.
    public typealias Share<Upstream: Publisher> =
        Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>
}
