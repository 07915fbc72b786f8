public import Usher

/// Where the time of day comes from; a test puts in its own.
public protocol Clock: Sendable {
    /// The time of day now.
    func now() -> Timestamp
}
