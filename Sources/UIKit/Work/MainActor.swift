/// The actor of user interface code, under the name that it has on a phone.
///
/// Each session has a main thread of its own: the one that handles its input. So the actor runs inline, on whichever
/// thread asks, and two sessions run on it at the same time; no object of one is ever reached by the other.
@globalActor
public actor MainActor {
    /// The only instance.
    public static let shared = MainActor()

    /// The executor of the session that the code belongs to; outside of one, one that runs jobs where they are enqueued.
    ///
    /// All code of a task belongs to one session, so that whoever asks is always given the same.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        guard let session = UIKitSession.ofCode else { return unsafe InlineExecutor.shared.asUnownedSerialExecutor() }
        return unsafe session.mainThread.asUnownedSerialExecutor()
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

/// The executor of code that belongs to no session: there is no thread to go to.
private final class InlineExecutor: SerialExecutor {
    static let shared = InlineExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }

    func checkIsolated() {}

    func isIsolatingCurrentContext() -> Bool? { true }
}
