import Glibc

/// A clock that only goes forward, for measuring how long something takes.
package enum MonotonicClock {
    /// Nanoseconds since some time before the process began.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
