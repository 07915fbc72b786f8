package import Usher
import UsherJournal

/// One session in an operator's list.
package struct SessionSummary: Sendable {
    /// What there is to say of one that is in memory.
    package struct Awake: Sendable {
        /// Screens in its stacks.
        package let screens: Int
        /// Its coordinators.
        package let coordinators: CoordinatorCounts
        /// Bytes of JSON of its screens.
        package let bytes: Int
    }

    /// The key to it.
    package let id: SessionID
    /// The name of its app; nil where its record is damaged.
    package let app: String?
    /// When it was opened.
    package let created: Timestamp
    /// When it accepted its newest input.
    package let changed: Timestamp
    /// How many inputs it has accepted, its creation included.
    package let revision: Int
    /// Bytes of its inputs in the journal.
    package let recorded: Int
    /// What it takes in memory; nil while it hibernates.
    package let awake: Awake?

    init(_ id: SessionID, _ head: SessionHeader?, awake: Awake?) {
        self.id = id
        app = head?.app
        created = Timestamp(milliseconds: head?.created ?? 0)
        changed = Timestamp(milliseconds: head?.time ?? 0)
        revision = head?.revision ?? 0
        recorded = head?.bytes ?? 0
        self.awake = awake
    }
}
