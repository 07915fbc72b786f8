public import Dispatch
import Usher

/// A moment on a session's clock, as deadlines have it; outside of a session on the process's.
public struct DispatchTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's beginning.
    public let uptimeNanoseconds: UInt64

    /// Makes a moment.
    ///
    /// - Parameter uptimeNanoseconds: Nanoseconds since the clock's beginning.
    public init(uptimeNanoseconds: UInt64) {
        self.uptimeNanoseconds = uptimeNanoseconds
    }

    /// A moment that never comes.
    public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)

    /// The time of the input that is handled.
    public static func now() -> DispatchTime {
        guard let session = UIKitSession.current else {
            return DispatchTime(uptimeNanoseconds: Dispatch.DispatchTime.now().uptimeNanoseconds)
        }
        return DispatchTime(uptimeNanoseconds: UInt64(clamping: session.timestamp.milliseconds) * 1_000_000)
    }

    /// True where one moment comes before another.
    public static func < (earlier: DispatchTime, later: DispatchTime) -> Bool {
        earlier.uptimeNanoseconds < later.uptimeNanoseconds
    }

    /// A moment some seconds later.
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
        time.advanced(by: Duration(seconds))
    }

    /// A moment an interval later.
    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        switch interval {
        case .seconds(let count): time.advanced(by: .seconds(count))
        case .milliseconds(let count): time.advanced(by: .milliseconds(count))
        case .microseconds(let count): time.advanced(by: .microseconds(count))
        case .nanoseconds(let count): time.advanced(by: .nanoseconds(count))
        case .never: .distantFuture
        }
    }

    /// The time until then; nothing for a moment that has passed.
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
