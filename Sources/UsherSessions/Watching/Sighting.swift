/// A session's state at one revision, for those that watch it.
public struct Sighting: Sendable {
    /// The revision.
    public let revision: Int
    /// What tells it from one of the same number that a crash has taken back.
    public let epoch: String?
    /// The whole state as JSON.
    public let state: [UInt8]
    /// Whether it is the last one.
    public let isEnd: Bool
}
