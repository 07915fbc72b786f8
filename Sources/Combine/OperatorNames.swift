/// Apple's names for the publishers that operators return, for an app that defines its own operators.
extension Publishers {
    /// The result of an operator that changes neither values nor errors.
    public typealias Same<Upstream: Publisher> = Operation<Upstream.Output, Upstream.Failure>
    /// The result of `map(_:)`.
    public typealias Map<Upstream: Publisher, Output> = Operation<Output, Upstream.Failure>
    /// The result of `tryMap(_:)`.
    public typealias TryMap<Upstream: Publisher, Output> = Operation<Output, any Error>
    /// The result of `compactMap(_:)`.
    public typealias CompactMap<Upstream: Publisher, Output> = Operation<Output, Upstream.Failure>
    /// The result of `scan(_:_:)`.
    public typealias Scan<Upstream: Publisher, Output> = Operation<Output, Upstream.Failure>
    /// The result of `filter(_:)`.
    public typealias Filter<Upstream: Publisher> = Same<Upstream>
    /// The result of `removeDuplicates()`.
    public typealias RemoveDuplicates<Upstream: Publisher> = Same<Upstream>
    /// The result of `dropFirst(_:)`.
    public typealias Drop<Upstream: Publisher> = Same<Upstream>
    /// The result of `first()`.
    public typealias First<Upstream: Publisher> = Same<Upstream>
    /// The result of `handleEvents`.
    public typealias HandleEvents<Upstream: Publisher> = Same<Upstream>
    /// The result of `retry(_:)`.
    public typealias Retry<Upstream: Publisher> = Same<Upstream>
    /// The result of `receive(on:)`.
    public typealias ReceiveOn<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// The result of `subscribe(on:)`.
    public typealias SubscribeOn<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// The result of `delay(for:scheduler:)`.
    public typealias Delay<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// The result of `debounce(for:scheduler:)`.
    public typealias Debounce<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// The result of `throttle(for:scheduler:latest:)`.
    public typealias Throttle<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// The result of `timeout(_:scheduler:)`.
    public typealias Timeout<Upstream: Publisher, Context: Scheduler> = Same<Upstream>
    /// The result of `mapError(_:)`.
    public typealias MapError<Upstream: Publisher, Failure: Error> = Operation<Upstream.Output, Failure>
    /// The result of `setFailureType(to:)`.
    public typealias SetFailureType<Upstream: Publisher, Failure: Error> = Operation<Upstream.Output, Failure>
    /// The result of `replaceError(with:)`.
    public typealias ReplaceError<Upstream: Publisher> = Operation<Upstream.Output, Never>
    /// The result of `flatMap(_:)`.
    public typealias FlatMap<NewPublisher: Publisher, Upstream: Publisher> =
        Operation<NewPublisher.Output, Upstream.Failure>
    /// The result of `switchToLatest()`.
    public typealias SwitchToLatest<P: Publisher, Upstream: Publisher> = Operation<P.Output, Upstream.Failure>
    /// The result of `catch(_:)`.
    public typealias Catch<Upstream: Publisher, NewPublisher: Publisher> =
        Operation<Upstream.Output, NewPublisher.Failure>
    /// The result of `share()`.
    public typealias Share<Upstream: Publisher> =
        Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>
}
