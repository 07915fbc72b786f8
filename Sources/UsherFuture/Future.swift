/// A value that is there already, or that comes later: by a callback, or from asynchronous work.
///
/// Most answers are there at once. They pass through without a task, which would cost more than all the rest of a
/// request; one that comes by itself, as an answer does once its commit is durable, passes through without one as well.
///
/// ```swift
/// let response = registry.handle(request, on: id).map { result in Response(result) }
/// ```
package enum Future<Value: Sendable>: Sendable {
    /// The receiver of a value; it is called once.
    package typealias Receiver = @Sendable (Value) -> Void

    /// The value is there.
    case ready(Value)
    /// The value comes soon and by itself, on whatever thread: it is handed to the receiver once, and no task waits.
    case callback(@Sendable (@escaping Receiver) -> Void)
    /// The value comes from work that has to wait.
    case async(@Sendable () async -> Value)

    /// The value, waited for where it is not there yet.
    package var value: Value {
        get async {
            switch self {
            case .ready(let value): value
            case .callback(let begin):
                await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }
            case .async(let work): await work()
            }
        }
    }

    /// Hands the value to a receiver, which may be called before this returns; work begins on the caller's thread.
    ///
    /// - Returns: The task of the work, by which it can be cancelled; nil where the value needs none.
    @discardableResult
    package func deliver(to receive: @escaping Receiver) -> Task<Void, Never>? {
        switch self {
        case .ready(let value): receive(value)
        case .callback(let begin): begin(receive)
        case .async(let work): return Task.immediate { receive(await work()) }
        }
        return nil
    }

    /// The same with the value changed, now or when it comes.
    ///
    /// - Parameter change: Makes the other value; on the thread on which the first one is there.
    package func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> Future<Other> {
        switch self {
        case .ready(let value): .ready(change(value))
        case .callback(let begin): .callback { receive in begin { receive(change($0)) } }
        case .async(let work): .async { change(await work()) }
        }
    }
}
