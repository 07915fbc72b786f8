/// The actor of user interface code, which replaces Swift's actor of the same name.
///
/// Each session has its own main thread: the thread that handles the session's input. The actor therefore runs inline
/// on any thread, and several sessions use the actor at the same time. Sessions never share objects.
@globalActor
public actor MainActor {
    /// The only instance.
    public static let shared = MainActor()

    /// The executor of the code's session; outside of a session, an executor that runs jobs on the enqueuing thread.
    ///
    /// All code of a task belongs to one session, so a task always gets the same executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        guard let session = UIKitSession.ofCode else { return unsafe InlineExecutor.shared.asUnownedSerialExecutor() }
        return unsafe session.mainThread.asUnownedSerialExecutor()
    }

    /// Runs code of the actor immediately, and returns its result.
    @MainActor
    public static func run<Value: Sendable, Failure: Error>(
        resultType: Value.Type = Value.self, body: @MainActor () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body()
    }

    /// Runs code of the actor from code that is not isolated to the actor, and returns the result.
    public nonisolated static func assumeIsolated<Value, Failure: Error>(
        _ operation: @MainActor () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // Calls the isolated conformance through a protocol without isolation, because the closure cannot be cast.
        // If the runtime checks the isolation, the executor accepts any thread.
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

/// The executor of code outside of a session; the executor has no thread of its own.
private final class InlineExecutor: SerialExecutor {
    static let shared = InlineExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }

    func checkIsolated() {}

    func isIsolatingCurrentContext() -> Bool? { true }
}
