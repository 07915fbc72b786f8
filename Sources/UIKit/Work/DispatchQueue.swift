public import Dispatch

/// A queue, whose work runs on its session's thread at the end of the input; all queues of a session share one order.
///
/// There is only one thread, so queues differ only in their names. Long work and access to the outside world belong in
/// an effect, because an input ends only after its queues are empty. Outside of a session, work runs on the process's
/// threads.
public final class DispatchQueue: Sendable {
    /// The attributes of a queue, which have no effect in a session.
    public struct Attributes: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates attributes.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Several pieces of work run at the same time.
        public static let concurrent = Attributes(rawValue: 1)
    }

    /// The queue of the main thread.
    public static let main = DispatchQueue(label: "com.apple.main-thread")
    private static let shared = DispatchQueue(label: "com.apple.root.default-qos")

    /// The name.
    public let label: String

    /// Creates a queue; the quality of service and the attributes have no effect in a session.
    public init(label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = []) {
        self.label = label
    }

    /// Returns the global queue.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { shared }

    /// Runs work at the end of the input.
    public var async: QueueCall { QueueCall() }

    /// Runs work in a separate input once the session's clock has reached a time.
    public var asyncAfter: DelayedQueueCall { DelayedQueueCall() }

    /// Runs work immediately, and returns its result.
    public func sync<Value>(execute work: () throws -> Value) rethrows -> Value { try work() }

    /// Runs work immediately; there is no other work to exclude.
    public func sync<Value>(flags: DispatchWorkItemFlags, execute work: () throws -> Value) rethrows -> Value {
        try work()
    }
}

/// The functions that run a queue's work at the end of the input.
///
/// This is a type, because the compiler treats a closure for a method `async` of `DispatchQueue.main` as isolated to
/// Swift's `MainActor`, whichever module declares the method.
public struct QueueCall: Sendable {
    fileprivate init() {}

    /// Runs work at the end of the input.
    @preconcurrency
    public func callAsFunction(execute work: @escaping @MainActor () -> Void) {
        guard let session = UIKitSession.current else {
            return Dispatch.DispatchQueue.global().async { MainActor.assumeIsolated(work) }
        }
        MainActor.assumeIsolated { session.enqueue { work() } }
    }

    /// Runs work at the end of the input, as part of a group.
    @preconcurrency
    public func callAsFunction(group: DispatchGroup, execute work: @escaping @MainActor () -> Void) {
        group.enter()
        callAsFunction(execute: {
            work()
            group.leave()
        })
    }

    /// Runs work at the end of the input; there is no other work to exclude.
    @preconcurrency
    public func callAsFunction(flags: DispatchWorkItemFlags, execute work: @escaping @MainActor () -> Void) {
        callAsFunction(execute: work)
    }

    /// Runs an item at the end of the input, unless the item was cancelled.
    public func callAsFunction(execute item: DispatchWorkItem) {
        callAsFunction(execute: { item.perform() })
    }
}

/// The functions that run a queue's work, independent of screens, once the session's clock has reached a time.
public struct DelayedQueueCall: Sendable {
    fileprivate init() {}

    /// Runs work in a separate input once the session's clock has reached a time.
    @preconcurrency
    public func callAsFunction(
        deadline: DispatchTime, file: StaticString = #fileID, line: UInt = #line,
        execute work: @escaping @MainActor () -> Void
    ) {
        guard let session = UIKitSession.current else { return Self.wait(until: deadline, work) }
        MainActor.assumeIsolated { _ = session.after(deadline.remaining, file: file, line: line) { work() } }
    }

    /// Runs an item in a separate input once the session's clock has reached a time, unless the item was cancelled.
    public func callAsFunction(
        deadline: DispatchTime, file: StaticString = #fileID, line: UInt = #line, execute item: DispatchWorkItem
    ) {
        guard let session = UIKitSession.current else { return Self.wait(until: deadline) { item.perform() } }
        MainActor.assumeIsolated {
            item.add(session.after(deadline.remaining, file: file, line: line) { item.perform() })
        }
    }

    private static func wait(until deadline: DispatchTime, _ work: @escaping @MainActor () -> Void) {
        let time = Dispatch.DispatchTime(uptimeNanoseconds: deadline.uptimeNanoseconds)
        Dispatch.DispatchQueue.global().asyncAfter(deadline: time) { MainActor.assumeIsolated(work) }
    }
}
