import Glibc

/// A lock at which threads can wait until another signals it, or until a time.
///
/// It is the system's, also because the thread sanitizer knows it: for a contended `Mutex` it reports races.
@safe
package final class ConditionLock: @unchecked Sendable {  // because the system's locks are made for any thread
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Makes a lock that nobody holds.
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

    /// Takes the lock, once nobody else holds it.
    package func lock() {
        unsafe pthread_mutex_lock(mutex)
    }

    /// Lets go of the lock.
    package func unlock() {
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Ends the wait of a thread, if one waits.
    package func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Ends the wait of all threads that wait.
    package func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }

    /// Lets go of the lock, waits, and takes it again; the wait may also end for no reason.
    ///
    /// - Parameter time: The time by which it ends, by the `MonotonicClock`; nil for none.
    package func wait(until time: Int64?) {
        if let time {
            var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            unsafe pthread_cond_timedwait(condition, mutex, &end)
        } else {
            unsafe pthread_cond_wait(condition, mutex)
        }
    }
}
