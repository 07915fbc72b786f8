/// A session's state at one revision, for those that watch it.
package struct Sighting: Sendable {
    /// The revision.
    package let revision: Int
    /// What tells it from one of the same number that a crash has taken back.
    package let epoch: String?
    /// The whole state as JSON.
    package let state: [UInt8]
    /// Whether it is the last one.
    package let isEnd: Bool
}
