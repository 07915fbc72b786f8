/// A time on a session's clock: milliseconds since 1970-01-01T00:00:00Z.
///
/// A coordinator's clock shows the time of the input that is being handled, so the clock shows the same time in a
/// replay.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since the epoch.
    public var milliseconds: Int64

    /// Creates a timestamp from milliseconds since the epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns a Boolean value indicating whether one timestamp is before another.
    public static func < (earlier: Timestamp, later: Timestamp) -> Bool {
        earlier.milliseconds < later.milliseconds
    }

    /// Decodes an integer of milliseconds.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes an integer of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Timestamp {
    /// Returns the timestamp after a duration, rounded up to whole milliseconds; the result is clamped to the range of
    /// `Int64`.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000)
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let part = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
        // The part has the same sign as the whole, so both overflow in the same direction.
        let (length, isLonger) = whole.addingReportingOverflow(part)
        let (sum, isLater) = milliseconds.addingReportingOverflow(length)
        guard !isBeyond, !isLonger, !isLater else { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
        return Timestamp(milliseconds: sum)
    }
}
