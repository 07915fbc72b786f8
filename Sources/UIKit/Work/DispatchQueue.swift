public import Dispatch

/// A queue of work, which its session's thread does at the end of the input, in the order of all its queues.
///
/// There is one thread, so that another queue than the main one differs in its name alone. What takes long or reaches
/// out into the world belongs into an effect all the same: an input waits for its queues. Outside of a session work goes
/// to the process's threads.
public final class DispatchQueue: Sendable {
    /// The ways in which a queue may do its work; of no meaning in a session.
    public struct Attributes: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Several pieces of work at a time.
        public static let concurrent = Attributes(rawValue: 1)
    }

    /// The queue of the main thread.
    public static let main = DispatchQueue(label: "com.apple.main-thread")
    private static let shared = DispatchQueue(label: "com.apple.root.default-qos")

    /// The name.
    public let label: String

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - label: Its name.
    ///   - qos: Of no meaning in a session.
    ///   - attributes: Of no meaning in a session.
    public init(label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = []) {
        self.label = label
    }

    /// The queue that is nobody's own.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { shared }

    /// Does work at the end of the input.
    public var async: QueueCall { QueueCall() }

    /// Does work in an input of its own, once the session's clock shows a time.
    public var asyncAfter: DelayedQueueCall { DelayedQueueCall() }

    /// Does work at once.
    ///
    /// - Parameter work: The work.
    /// - Returns: Its result.
    public func sync<Value>(execute work: () throws -> Value) rethrows -> Value { try work() }

    /// Does work at once; there is no other that it would have to keep away.
    public func sync<Value>(flags: DispatchWorkItemFlags, execute work: () throws -> Value) rethrows -> Value {
        try work()
    }
}

/// The ways to have a queue do work at the end of the input.
///
/// Called as a method of the queue. A value, for the compiler takes a closure that is given to `DispatchQueue.main` by a
/// method of this name as one of Swift's `MainActor`, whoever declares it.
public struct QueueCall: Sendable {
    fileprivate init() {}

    /// Does work at the end of the input.
    ///
    /// - Parameter work: The work.
    @preconcurrency
    public func callAsFunction(execute work: @escaping @MainActor () -> Void) {
        guard let session = UIKitSession.current else {
            return Dispatch.DispatchQueue.global().async { MainActor.assumeIsolated(work) }
        }
        MainActor.assumeIsolated { session.enqueue { work() } }
    }

    /// Does work at the end of the input, as part of a group.
    @preconcurrency
    public func callAsFunction(group: DispatchGroup, execute work: @escaping @MainActor () -> Void) {
        group.enter()
        callAsFunction(execute: {
            work()
            group.leave()
        })
    }

    /// Does work at the end of the input; there is no other that it would have to keep away.
    @preconcurrency
    public func callAsFunction(flags: DispatchWorkItemFlags, execute work: @escaping @MainActor () -> Void) {
        callAsFunction(execute: work)
    }

    /// Does an item at the end of the input, if it is not cancelled by then.
    public func callAsFunction(execute item: DispatchWorkItem) {
        callAsFunction(execute: { item.perform() })
    }
}

/// The ways to have a queue do work once the session's clock shows a time.
///
/// The work goes with no screen.
public struct DelayedQueueCall: Sendable {
    fileprivate init() {}

    /// Does work in an input of its own, once the session's clock shows a time.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - work: The work.
    @preconcurrency
    public func callAsFunction(
        deadline: DispatchTime, file: StaticString = #fileID, line: UInt = #line,
        execute work: @escaping @MainActor () -> Void
    ) {
        guard let session = UIKitSession.current else { return Self.wait(until: deadline, work) }
        MainActor.assumeIsolated { _ = session.after(deadline.remaining, file: file, line: line) { work() } }
    }

    /// Does an item in an input of its own, once the session's clock shows a time, if it is not cancelled by then.
    ///
    /// - Parameters:
    ///   - deadline: The time.
    ///   - file: The file that it is begun in, for the report of a leak.
    ///   - line: Its line there.
    ///   - item: The item.
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
