import Synchronization

/// The rests of a thread that looks at something again and again: a beat while there may be something to see, and a long
/// rest, which a call ends, once there has been nothing for a second.
///
/// In place in what has it, for a call comes with each event. A call that comes just as a long rest begins may be missed.
package struct Beat: ~Copyable, Sendable {
    private let isAsleep = Atomic(false)
    /// The time of the last look at which there was something to see; only the thread that rests uses it.
    private let lastSight = Atomic(MonotonicClock.now)
    private let lock = ConditionLock()

    /// The time after which rests become long.
    private static let patience: Int64 = 1_000_000_000
    private static let longest: Int64 = 2_000_000_000

    /// Creates the rests of one thread.
    package init() {}

    /// Rests until the next look.
    ///
    /// - Parameters:
    ///   - interval: Nanoseconds of a short rest.
    ///   - isIdle: Pass true if there was nothing to see at the last look.
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
        // Still set where nobody has called.
        let isCalled = !isAsleep.exchange(false, ordering: .relaxed)
        lock.unlock()
        if isCalled { lastSight.store(MonotonicClock.now, ordering: .relaxed) }
    }

    /// There is something to see from now on: ends a long rest.
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
