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
