public import Dispatch
import Usher

/// A deadline on the session's clock; outside of a session, on the process's clock.
public struct DispatchTime: Comparable, Hashable, Sendable {
    /// The nanoseconds since the clock's start.
    public let uptimeNanoseconds: UInt64

    /// Creates a time from the nanoseconds since the clock's start.
    public init(uptimeNanoseconds: UInt64) {
        self.uptimeNanoseconds = uptimeNanoseconds
    }

    /// A time that is never reached.
    public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)

    /// Returns the time of the current input.
    public static func now() -> DispatchTime {
        guard let session = UIKitSession.current else {
            return DispatchTime(uptimeNanoseconds: Dispatch.DispatchTime.now().uptimeNanoseconds)
        }
        return DispatchTime(uptimeNanoseconds: UInt64(clamping: session.timestamp.milliseconds) * 1_000_000)
    }

    /// Returns `true` if a time is before another.
    public static func < (earlier: DispatchTime, later: DispatchTime) -> Bool {
        earlier.uptimeNanoseconds < later.uptimeNanoseconds
    }

    /// Returns a time some seconds later.
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
        time.advanced(by: Duration(seconds))
    }

    /// Returns a time an interval later.
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        switch interval {
        case .seconds(let count): time.advanced(by: .seconds(count))
        case .milliseconds(let count): time.advanced(by: .milliseconds(count))
        case .microseconds(let count): time.advanced(by: .microseconds(count))
        case .nanoseconds(let count): time.advanced(by: .nanoseconds(count))
        case .never: .distantFuture
        }
    }

    /// The duration until this time; zero if this time has passed.
    var remaining: Duration {
        let now = DispatchTime.now().uptimeNanoseconds
        guard uptimeNanoseconds > now else { return .zero }
        return .nanoseconds(Int64(clamping: uptimeNanoseconds - now))
    }

    private func advanced(by duration: Duration) -> DispatchTime {
        let (seconds, attoseconds) = duration.components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isBeyond, whole >= 0 else { return isBeyond && seconds > 0 ? .distantFuture : self }
        let nanoseconds = UInt64(whole) + UInt64(max(0, attoseconds / 1_000_000_000))
        let (sum, isTooLate) = uptimeNanoseconds.addingReportingOverflow(nanoseconds)
        return isTooLate ? .distantFuture : DispatchTime(uptimeNanoseconds: sum)
    }
}
