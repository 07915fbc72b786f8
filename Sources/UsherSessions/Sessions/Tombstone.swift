public import Usher

/// What remains of a session that is over.
public struct Tombstone: Sendable {
    /// How it came to its end.
    public enum Reason: String, Sendable {
        /// The root coordinator finished.
        case finished
        /// The root coordinator gave up.
        case cancelled
        /// A client deleted it.
        case deleted
        /// Its inputs did not lead to the same tree again: a coordinator is not deterministic.
        case diverged
    }

    /// How it came to its end.
    public let reason: Reason
    /// When.
    public let time: Timestamp
    /// The name of its app, to open another.
    public let app: String
}

extension Tombstone.Reason {
    init(_ reason: Ending.Reason) {
        switch reason {
        case .finished: self = .finished
        case .cancelled: self = .cancelled
        }
    }
}
