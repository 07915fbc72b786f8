package import Usher
import UsherJournal

/// What a session showed at one revision.
package struct Snapshot: Sendable {
    /// How many inputs the session had accepted, its creation included.
    package let revision: Int
    /// What tells this revision from one of the same number that a crash has taken back; nil where none can be.
    package let epoch: String?
    /// The whole state as JSON.
    package let state: [UInt8]
    /// How the session ended, where the input ended it.
    package let ending: Ending?
    /// Coordinators that this input ended and that are still in memory: for the log.
    package let newLeaks: [Leak]
    /// Whether it is the first answer to an idempotency key again.
    package let isReplayed: Bool
}

extension Snapshot {
    /// The same, as the answer to a key that has no answer of its own.
    var replayed: Snapshot {
        Snapshot(
            revision: revision, epoch: epoch, state: state, ending: ending, newLeaks: newLeaks, isReplayed: true)
    }

    /// The first answer to a key again.
    init(_ answer: KeyedAnswer, epoch: String?) {
        self.init(
            revision: answer.revision, epoch: epoch, state: answer.body, ending: nil, newLeaks: [],
            isReplayed: true)
    }
}
