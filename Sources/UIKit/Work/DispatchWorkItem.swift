public import Dispatch

/// Work that the app can cancel until the work is done.
///
/// Unchecked because only code that handles the session's input uses this object, while the session's lock is held.
public final class DispatchWorkItem: @unchecked Sendable {
    private var block: (@MainActor () -> Void)?
    private var observers: [@MainActor () -> Void] = []
    private var timers: [SessionWork] = []
    private var isDone = false

    /// A Boolean value that indicates whether the item was cancelled.
    public private(set) var isCancelled = false

    /// Creates an item; the flags have no effect in a session.
    @preconcurrency
    public init(flags: DispatchWorkItemFlags = [], block: @escaping @MainActor () -> Void) {
        self.block = block
    }

    /// Cancels the item unless the item is done, and releases the item's timers and closure.
    public func cancel() {
        isCancelled = true
        let (block, waiting) = (block, timers)
        self.block = nil
        timers = []
        for timer in waiting { timer.cancel() }
        withExtendedLifetime(block) {}
    }

    /// Runs the work immediately unless the item was cancelled, and notifies the observers.
    public func perform() {
        MainActor.assumeIsolated {
            if !isCancelled { block?() }
            isDone = true
            let told = observers
            observers = []
            for observer in told { observer() }
        }
    }

    /// Runs other work once this item is done or cancelled; if that is already so, runs the work immediately.
    @preconcurrency
    public func notify(queue: DispatchQueue, execute work: @escaping @MainActor () -> Void) {
        if isDone { queue.async(execute: work) } else { observers.append { queue.async(execute: work) } }
    }

    func add(_ timer: SessionWork) {
        timers.removeAll { !$0.isPending }
        timers.append(timer)
    }
}

/// A count of running work, which calls closures when all of the work is done.
///
/// Unchecked because only code that handles the session's input uses this object, while the session's lock is held.
public final class DispatchGroup: @unchecked Sendable {
    private var count = 0
    private var observers: [() -> Void] = []

    /// Creates an empty group.
    public init() {}

    /// Records that work of the group has started.
    public func enter() {
        count += 1
    }

    /// Records that work of the group has ended.
    public func leave() {
        guard count > 0 else {
            // Dispatch crashes with the same message.
            return MainActor.assumeIsolated {
                UIKitSession.current?.warn("BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_group_leave()")
                    ?? ()
            }
        }
        count -= 1
        if count == 0 { tell() }
    }

    /// Runs work when all work of the group is done; if the group is empty, runs the work in this input.
    @preconcurrency
    public func notify(queue: DispatchQueue, execute work: @escaping @MainActor () -> Void) {
        observers.append { queue.async(execute: work) }
        if count == 0 { tell() }
    }

    /// Unavailable, because the session's thread would wait for its own work.
    @available(*, unavailable, message: "the session's thread would wait for itself: use notify(queue:execute:)")
    public func wait() {}

    private func tell() {
        let told = observers
        observers = []
        for observer in told { observer() }
    }
}
