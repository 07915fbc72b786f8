public import Usher

/// What a session showed at one revision.
public struct Snapshot: Sendable {
    /// How many inputs the session had accepted, its creation included.
    public let revision: Int
    /// The whole state as JSON.
    public let state: [UInt8]
    /// How the session ended, where the input ended it.
    public let ending: Ending?
    /// Coordinators that this input ended and that are still in memory: for the log.
    public let newLeaks: [Leak]
}
