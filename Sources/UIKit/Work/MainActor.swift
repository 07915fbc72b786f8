/// The actor of user interface code, under the name that it has on a phone.
///
/// Each session has a main thread of its own: the one that handles its input. So the actor runs inline, on whichever
/// thread asks, and two sessions run on it at the same time; no object of one is ever reached by the other.
@globalActor
public actor MainActor {
    /// The only instance.
    public static let shared = MainActor()

    /// The executor that runs jobs where they are enqueued.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe InlineExecutor.shared.asUnownedSerialExecutor()
    }

    /// Runs code of the actor at once.
    ///
    /// - Parameter body: The code.
    /// - Returns: Its result.
    @MainActor
    public static func run<Value: Sendable, Failure: Error>(
        resultType: Value.Type = Value.self, body: @MainActor () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body()
    }

    /// Runs code of the actor from code that the compiler does not know to be on it.
    ///
    /// - Parameter operation: The code.
    /// - Returns: Its result.
    public nonisolated static func assumeIsolated<Value, Failure: Error>(
        _ operation: @MainActor () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // No cast of the closure: a conformance of the actor is called through a protocol without one, and the runtime
        // asks the executor, which says yes.
        try withoutActuallyEscaping(operation) { operation throws(Failure) in
            try Self.perform(IsolatedOperation(operation: operation))
        }
    }

    private nonisolated static func perform<Operation: InlineOperation>(
        _ operation: Operation
    ) throws(Operation.Failure) -> Operation.Value {
        try operation.perform()
    }
}

/// An operation of the actor, as code outside of the actor may call it.
private protocol InlineOperation {
    associatedtype Value
    associatedtype Failure: Error

    func perform() throws(Failure) -> Value
}

private struct IsolatedOperation<Value, Failure: Error>: @preconcurrency InlineOperation {
    let operation: @MainActor () throws(Failure) -> Value

    @MainActor
    func perform() throws(Failure) -> Value {
        try operation()
    }
}

/// The executor of a session's main thread: there is no other thread to go to.
///
/// Jobs of a session's tasks have their turn in its queue; others run at once.
private final class InlineExecutor: SerialExecutor {
    static let shared = InlineExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let executor = unsafe asUnownedSerialExecutor()
        guard let session = UIKitSession.current else { return unsafe job.runSynchronously(on: executor) }
        let job = UnownedJob(job)
        session.enqueue(job: { unsafe job.runSynchronously(on: executor) })
    }

    /// A session handles its input under its lock, so whoever runs is on its main thread.
    func checkIsolated() {}

    func isIsolatingCurrentContext() -> Bool? { true }
}
