/// What can be done with a metric's values.
package enum MetricKind: String, Sendable {
    /// It only grows; what counts is how fast.
    case counter
    /// It goes up and down.
    case gauge
    /// Counts by size.
    case histogram
}
