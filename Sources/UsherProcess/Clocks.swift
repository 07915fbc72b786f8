import Glibc

/// The precise monotonic clock, for durations and deadlines.
package enum MonotonicClock {
    package static var now: Int64 { nanoseconds(CLOCK_MONOTONIC) }
}

/// The clock of the machine's uptime, which continues while the machine sleeps, and cannot be set.
package enum UptimeClock {
    /// Milliseconds since the machine started.
    package static var milliseconds: Int64 { nanoseconds(CLOCK_BOOTTIME) / 1_000_000 }
}

/// A monotonic clock with a resolution of some milliseconds that costs almost nothing to read.
package enum CoarseClock {
    package static var now: Int64 { nanoseconds(CLOCK_MONOTONIC_COARSE) }
}

private func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension Duration {
    /// Whole nanoseconds, clamped to `Int64.max`.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}

/// The wall clock: the time of day.
package enum WallTime {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

    /// Returns milliseconds since 1970-01-01T00:00:00Z in UTC in RFC 3339 form, such as `2026-11-20T13:28:29.042Z`.
    package static func text(_ milliseconds: Int64) -> String {
        let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var time = time_t(seconds)
        var date = unsafe tm()
        unsafe gmtime_r(&time, &date)
        let day = unsafe "\(padded(date.tm_year + 1900, 4))-\(padded(date.tm_mon + 1, 2))-\(padded(date.tm_mday, 2))"
        let clock = unsafe "\(padded(date.tm_hour, 2)):\(padded(date.tm_min, 2)):\(padded(date.tm_sec, 2))"
        return "\(day)T\(clock).\(padded(Int32(fraction), 3))Z"
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
