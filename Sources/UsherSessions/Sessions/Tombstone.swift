public import Usher
import UsherJournal

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
        /// Nobody used it for too long.
        case expired
    }

    /// How it came to its end.
    public let reason: Reason
    /// When.
    public let time: Timestamp
    /// The name of its app, to open another.
    public let app: String
}

extension Tombstone {
    /// Reads how a session ended; nil while it has not.
    init?(_ head: Head) {
        guard let ending = head.ending else { return nil }
        self.init(
            reason: Reason(rawValue: ending.reason) ?? .deleted, time: Timestamp(milliseconds: ending.time),
            app: head.app)
    }
}

extension Tombstone.Reason {
    init(_ reason: Ending.Reason) {
        switch reason {
        case .finished: self = .finished
        case .cancelled: self = .cancelled
        }
    }
}

extension Head {
    /// The same session, over.
    func ended(_ reason: Tombstone.Reason, at time: Timestamp) -> Head {
        var head = self
        head.ending = Ending(reason: reason.rawValue, time: time.milliseconds)
        return head
    }
}
