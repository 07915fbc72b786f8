package import Usher
import UsherJournal

/// What remains of a session that is over.
package struct Tombstone: Sendable {
    /// How it came to its end.
    package enum Reason: String, Sendable {
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
    package let reason: Reason
    /// When.
    package let time: Timestamp
    /// The name of its app, to open another.
    package let app: String
}

extension Tombstone {
    /// Reads how a session ended; nil while it has not.
    init?(_ head: SessionHeader) {
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

extension SessionHeader {
    /// The same session, over.
    func ended(_ reason: Tombstone.Reason, at time: Timestamp) -> SessionHeader {
        var head = self
        head.ending = End(reason: reason.rawValue, time: time.milliseconds)
        return head
    }
}
