import Synchronization

/// The pauses between the checks of a polling thread: short pauses, and long pauses after a second without work.
///
/// `call` ends a long pause, but may have no effect if a long pause begins at the same moment. The type is stored
/// inline and not copyable, because each event uses it.
package struct Beat: ~Copyable, Sendable {
    private let isAsleep = Atomic(false)
    /// The time of the last check that found work; only the polling thread uses it.
    private let lastSight = Atomic(MonotonicClock.now)
    private let lock = ConditionLock()

    /// The time without work, in nanoseconds, after which the pauses become long.
    private static let patience: Int64 = 1_000_000_000
    private static let longest: Int64 = 2_000_000_000

    package init() {}

    /// Pauses until the next check; a short pause lasts `interval` nanoseconds.
    ///
    /// `isIdle` is `true` if the last check found no work.
    package func rest(_ interval: Int64, isIdle: Bool) {
        let now = MonotonicClock.now
        if !isIdle { lastSight.store(now, ordering: .relaxed) }
        guard now &- lastSight.load(ordering: .relaxed) >= Self.patience else {
            return SystemThread.pause(nanoseconds: interval)
        }
        lock.lock()
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        let end = now &+ Self.longest
        while isAsleep.load(ordering: .relaxed), MonotonicClock.now < end { lock.wait(until: end) }
        // `isAsleep` is still true if `call` was not called during the pause.
        let isCalled = !isAsleep.exchange(false, ordering: .relaxed)
        lock.unlock()
        if isCalled { lastSight.store(MonotonicClock.now, ordering: .relaxed) }
    }

    /// Ends a long pause, because there is work.
    @inline(__always)
    package func call() {
        if isAsleep.load(ordering: .relaxed) { wake() }
    }

    @inline(never)
    private func wake() {
        lock.lock()
        isAsleep.store(false, ordering: .relaxed)
        lock.unlock()
        lock.signal()
    }
}
