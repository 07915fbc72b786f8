import Glibc

/// A lock on which threads can wait for a signal or until a time.
///
/// It uses pthread locks, because the thread sanitizer reports false races for a contended `Mutex`.
@safe
package final class ConditionLock: @unchecked Sendable {  // because pthread locks may be used from any thread
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        defer { unsafe pthread_condattr_destroy(&attributes) }
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Acquires the lock; blocks while another thread holds it.
    package func lock() {
        unsafe pthread_mutex_lock(mutex)
    }

    package func unlock() {
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Wakes one waiting thread, if there is one.
    package func signal() {
        unsafe pthread_cond_signal(condition)
    }

    package func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }

    /// Releases the lock, waits, and acquires it again; the wait may also end spuriously.
    ///
    /// - Parameter time: The time by the `MonotonicClock` at which the wait ends; nil for no limit.
    package func wait(until time: Int64?) {
        if let time {
            var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            unsafe pthread_cond_timedwait(condition, mutex, &end)
        } else {
            unsafe pthread_cond_wait(condition, mutex)
        }
    }
}
