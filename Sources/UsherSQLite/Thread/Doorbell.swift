private import Glibc

/// What one thread waits at until another rings, or until a time.
@safe
final class Doorbell: @unchecked Sendable {  // because `isRung` is used only under the lock beside it
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRung = false

    init() {
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

    /// Lets the waiting thread go, or the next that waits.
    func ring() {
        unsafe pthread_mutex_lock(lock)
        isRung = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(lock)
    }

    /// Waits for a ring, which it uses up.
    ///
    /// - Parameter time: When to go on anyway, by the `MonotonicClock`; nil for never.
    func wait(until time: Int64?) {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        var isOver = false
        while !isRung, !isOver { isOver = !waitOnce(until: time) }
        isRung = false
    }

    private func waitOnce(until time: Int64?) -> Bool {
        guard let time else { return unsafe pthread_cond_wait(condition, lock) == 0 }
        var end = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        return unsafe pthread_cond_timedwait(condition, lock, &end) == 0
    }
}
