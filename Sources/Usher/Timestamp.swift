/// A moment on a session's clock: milliseconds since 1970-01-01T00:00:00Z.
///
/// It is the time of the input that is being handled, so replay sees the same.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Milliseconds since the epoch.
    public var milliseconds: Int64

    /// Makes a moment.
    ///
    /// - Parameter milliseconds: Milliseconds since the epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// True where one moment comes before another.
    public static func < (earlier: Timestamp, later: Timestamp) -> Bool {
        earlier.milliseconds < later.milliseconds
    }

    /// Decodes a bare number of milliseconds.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes a bare number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension Timestamp {
    /// A moment so much later; a begun millisecond counts as a whole one.
    ///
    /// - Parameter duration: By how much; one that goes beyond all time leads to its end.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000)
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let part = attoseconds / perMillisecond + (attoseconds % perMillisecond > 0 ? 1 : 0)
        // The part has the sign of the whole, so both go beyond on the same side.
        let (length, isLonger) = whole.addingReportingOverflow(part)
        let (sum, isLater) = milliseconds.addingReportingOverflow(length)
        guard !isBeyond, !isLonger, !isLater else { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
        return Timestamp(milliseconds: sum)
    }
}
