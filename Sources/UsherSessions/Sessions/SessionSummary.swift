public import Usher
import UsherJournal

/// One session in an operator's list.
public struct SessionSummary: Sendable {
    /// What there is to say of one that is in memory.
    public struct Awake: Sendable {
        /// Screens in its stacks.
        public let screens: Int
        /// Its coordinators.
        public let coordinators: Census
        /// Bytes of JSON of its screens.
        public let bytes: Int
    }

    /// The key to it.
    public let id: SessionID
    /// The name of its app; nil where its record is damaged.
    public let app: String?
    /// When it was opened.
    public let created: Timestamp
    /// When it accepted its newest input.
    public let changed: Timestamp
    /// How many inputs it has accepted, its creation included.
    public let revision: Int
    /// Bytes of its inputs in the journal.
    public let recorded: Int
    /// What it takes in memory; nil while it hibernates.
    public let awake: Awake?

    init(_ id: SessionID, _ head: Head?, awake: Awake?) {
        self.id = id
        app = head?.app
        created = Timestamp(milliseconds: head?.created ?? 0)
        changed = Timestamp(milliseconds: head?.time ?? 0)
        revision = head?.revision ?? 0
        recorded = head?.bytes ?? 0
        self.awake = awake
    }
}
