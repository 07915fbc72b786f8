private import Glibc

/// A state behind a lock at which one thread can wait until another has changed it, or until a time.
///
/// The lock is the system's, also because the thread sanitizer knows it: for a contended `Mutex` it reports races.
@safe
final class Monitor<State>: @unchecked Sendable {  // because `state` is used only under the lock beside it
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: sending State) {
        self.state = state
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        defer { unsafe pthread_condattr_destroy(&attributes) }
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(lock)
        unsafe condition.deallocate()
        unsafe lock.deallocate()
    }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return body(&state)
    }

    /// Lets the waiting thread look at the state again.
    func wake() {
        unsafe pthread_cond_signal(condition)
    }

    /// Waits until the state has something; it may be looked at more often than it has changed.
    ///
    /// - Parameter body: Returns what the state has, or until when to wait, by the `MonotonicClock`; nil for no time.
    func wait<Result>(for body: (inout State) -> Wait<Result>) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        while true {
            switch body(&state) {
            case .over(let result): return result
            case .until(let time): waitOnce(until: time)
            }
        }
    }

    private func waitOnce(until time: Int64?) {
        if let time {
            var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            unsafe pthread_cond_timedwait(condition, lock, &end)
        } else {
            unsafe pthread_cond_wait(condition, lock)
        }
    }
}

/// What a look at a monitor's state has led to.
enum Wait<Result> {
    case over(Result)
    case until(Int64?)
}
