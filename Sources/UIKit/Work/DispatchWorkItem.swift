public import Dispatch

/// A piece of work that can be cancelled until it is done.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
public final class DispatchWorkItem: @unchecked Sendable {
    private var block: (@MainActor () -> Void)?
    private var observers: [@MainActor () -> Void] = []
    private var timers: [SessionWork] = []
    private var isDone = false

    /// True once it was cancelled.
    public private(set) var isCancelled = false

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - flags: Of no meaning in a session.
    ///   - block: The work.
    @preconcurrency
    public init(flags: DispatchWorkItemFlags = [], block: @escaping @MainActor () -> Void) {
        self.block = block
    }

    /// Gives it up, unless it is done.
    ///
    /// A timer that waits for it goes, and what the work holds.
    public func cancel() {
        isCancelled = true
        let (block, waiting) = (block, timers)
        self.block = nil
        timers = []
        for timer in waiting { timer.cancel() }
        withExtendedLifetime(block) {}
    }

    /// Does the work at once, unless it is cancelled, and tells of it.
    public func perform() {
        MainActor.assumeIsolated {
            if !isCancelled { block?() }
            isDone = true
            let told = observers
            observers = []
            for observer in told { observer() }
        }
    }

    /// Does further work when this is done, or its turn has passed because it is cancelled; at once where that has been.
    ///
    /// - Parameters:
    ///   - queue: The queue that does it.
    ///   - work: The work.
    @preconcurrency
    public func notify(queue: DispatchQueue, execute work: @escaping @MainActor () -> Void) {
        if isDone { queue.async(execute: work) } else { observers.append { queue.async(execute: work) } }
    }

    /// Notes a timer that waits for it.
    func add(_ timer: SessionWork) {
        timers.removeAll { !$0.isPending }
        timers.append(timer)
    }
}

/// A count of work that is under way, which tells when all of it is done.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
public final class DispatchGroup: @unchecked Sendable {
    private var count = 0
    private var observers: [() -> Void] = []

    /// Makes a group of no work.
    public init() {}

    /// Counts work that begins.
    public func enter() {
        count += 1
    }

    /// Counts work that is done.
    public func leave() {
        guard count > 0 else {
            // In Dispatch's words; there it is a crash.
            return MainActor.assumeIsolated {
                UIKitSession.current?.warn("BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_group_leave()")
                    ?? ()
            }
        }
        count -= 1
        if count == 0 { tell() }
    }

    /// Does work when all that is under way is done; in this input, where nothing is.
    ///
    /// - Parameters:
    ///   - queue: The queue that does it.
    ///   - work: The work.
    @preconcurrency
    public func notify(queue: DispatchQueue, execute work: @escaping @MainActor () -> Void) {
        observers.append { queue.async(execute: work) }
        if count == 0 { tell() }
    }

    /// Not there: the session's thread would wait for itself.
    @available(*, unavailable, message: "the session's thread would wait for itself: use notify(queue:execute:)")
    public func wait() {}

    private func tell() {
        let told = observers
        observers = []
        for observer in told { observer() }
    }
}
