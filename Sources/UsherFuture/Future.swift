/// An operation that completes once, such as a commit, and then calls the closures that wait for the operation.
package protocol Completable: AnyObject, Sendable {
    /// Calls a closure when the operation is complete: at once, or later on the thread that completes the operation.
    ///
    /// The closure must return quickly, because the completing thread has other work.
    func whenDone(_ body: @escaping @Sendable () -> Void)
}

/// A value that is available now, or after an operation, or from asynchronous work.
///
/// Most responses are available at once and need no task. A task would cost more than all other work of the request. A
/// response that only waits for a commit needs no task either.
///
/// ```swift
/// let response = registry.handle(request, on: id).map { result in Response(result) }
/// ```
package enum Future<Value: Sendable>: Sendable {
    /// A closure that receives the value, and is called once.
    package typealias Receiver = @Sendable (Value) -> Void

    case ready(Value)
    /// A value that is created when an operation is complete, on the thread that completes it, without a task.
    ///
    /// `handOver` passes the value to a receiver, because returning the value would need a lookup of a generic type.
    /// `handOver` returns `false` if `otherwise` must create the value instead.
    case after(
        any Completable, handOver: @Sendable (_ receive: Receiver) -> Bool, otherwise: @Sendable () async -> Value)
    case async(@Sendable () async -> Value)

    /// Returns a future whose closure creates the value when an operation is complete, whatever its outcome.
    package static func after(_ completion: any Completable, _ value: @escaping @Sendable () -> Value) -> Future {
        .after(
            completion,
            handOver: { receive in
                receive(value())
                return true
            }, otherwise: value)
    }

    /// The value; reading the property waits until the value is available.
    package var value: Value {
        get async {
            switch self {
            case .ready(let value): return value
            case .after(let completion, let handOver, let work):
                // The completing thread creates the value. When this task runs, the data from which the value is
                // created may have changed.
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

    /// Passes the value to a receiver, possibly before this function returns.
    ///
    /// Asynchronous work starts on the calling thread.
    ///
    /// - Returns: The task of the asynchronous work, which can be canceled; nil if there is no asynchronous work.
    @discardableResult
    package func deliver(to receive: @escaping Receiver) -> Task<Void, Never>? {
        guard case .async(let work) = self else {
            deliverFromAnyThread(to: receive)
            return nil
        }
        return Task.immediate { receive(await work()) }
    }

    /// Passes the value to a receiver; runs asynchronous work on another thread, because this thread may be busy.
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

    /// Returns a future whose value a closure transforms, on the thread that makes the value available.
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
