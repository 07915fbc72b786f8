/// Something that will be done once, such as a commit, and calls back whoever waits for it.
package protocol Completable: AnyObject, Sendable {
    /// Calls back once it is done: at once, or on the thread that does it.
    ///
    /// - Parameter body: The callback; it takes no time, for that thread has more to do.
    func whenDone(_ body: @escaping @Sendable () -> Void)
}

/// A value that is there already, or that comes later: once something else is done, or from asynchronous work.
///
/// Most answers are there at once. They pass through without a task, which would cost more than all the rest of a
/// request; one that only a commit keeps from leaving passes through without one as well.
///
/// ```swift
/// let response = registry.handle(request, on: id).map { result in Response(result) }
/// ```
package enum Future<Value: Sendable>: Sendable {
    /// The receiver of a value; it is called once.
    package typealias Receiver = @Sendable (Value) -> Void

    /// The value is there.
    case ready(Value)
    /// The value can be told once something is done, by its thread, so that no task waits; `handOver` is false where it
    /// comes from work after all. A receiver is given, not a value returned: a generic type would be looked up for that.
    case after(
        any Completable, handOver: @Sendable (_ receive: Receiver) -> Bool, otherwise: @Sendable () async -> Value)
    /// The value comes from work that has to wait.
    case async(@Sendable () async -> Value)

    /// The value can be told once something is done, whatever has become of that.
    ///
    /// - Parameter value: Makes it, where that is done.
    package static func after(_ completion: any Completable, _ value: @escaping @Sendable () -> Value) -> Future {
        .after(
            completion,
            handOver: { receive in
                receive(value())
                return true
            }, otherwise: value)
    }

    /// The value, waited for where it is not there yet.
    package var value: Value {
        get async {
            switch self {
            case .ready(let value): return value
            case .after(let completion, let handOver, let work):
                // Made where it is done, not in this task: what it is made of may have changed by then.
                let value: Value? = await withCheckedContinuation { continuation in
                    completion.whenDone {
                        if !handOver({ continuation.resume(returning: $0) }) { continuation.resume(returning: nil) }
                    }
                }
                if let value { return value }
                return await work()
            case .async(let work): return await work()
            }
        }
    }

    /// Hands the value to a receiver, which may be called before this returns; work begins on the caller's thread.
    ///
    /// - Returns: The task of the work, by which it can be cancelled; nil where the value needs none.
    @discardableResult
    package func deliver(to receive: @escaping Receiver) -> Task<Void, Never>? {
        guard case .async(let work) = self else {
            deliverFromAnyThread(to: receive)
            return nil
        }
        return Task.immediate { receive(await work()) }
    }

    /// The same where the caller's thread may have more to do: work begins on another.
    private func deliverFromAnyThread(to receive: @escaping Receiver) {
        switch self {
        case .ready(let value): receive(value)
        case .after(let completion, let handOver, let work):
            completion.whenDone {
                if !handOver(receive) { Task { receive(await work()) } }
            }
        case .async(let work): Task { receive(await work()) }
        }
    }

    /// The same with the value changed, now or when it comes.
    ///
    /// - Parameter change: Makes the other value; on the thread on which the first one is there.
    package func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> Future<Other> {
        switch self {
        case .ready(let value): .ready(change(value))
        case .after(let completion, let handOver, let work):
            .after(
                completion, handOver: { receive in handOver { receive(change($0)) } },
                otherwise: { change(await work()) })
        case .async(let work): .async { change(await work()) }
        }
    }
}
