private import Glibc

/// Nanoseconds of a clock that never goes back, coarse (some milliseconds) and so nearly free to read.
enum MonotonicClock {
    /// Later than any time of the clock.
    static let never = Int64.max

    static var now: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The time that lies a duration ahead.
    static func time(in nanoseconds: Int64) -> Int64 {
        let (time, overflow) = now.addingReportingOverflow(nanoseconds)
        return overflow ? never : time
    }
}

extension Duration {
    /// Whole nanoseconds, at most as many as fit.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 9_000_000_000 else { return .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
