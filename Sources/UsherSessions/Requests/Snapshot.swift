package import Usher
import UsherBytes
import UsherJSON
package import UsherJournal

/// A session's state at one revision.
///
/// An object, for it is handed on through many hands: each would copy all parts of a structure, and count its references
/// to them.
package final class Snapshot: Sendable {
    /// The number of inputs that the session had accepted, its creation included.
    package let revision: Int
    /// The mark that tells this revision from one of the same number which a crash took back; nil where none can be.
    package let epoch: String?
    /// The whole state as JSON.
    package let state: [UInt8]
    /// The end of the session, where the input ended it.
    package let ending: Ending?
    /// Coordinators that this input ended and that are still in memory: for the log.
    package let newLeaks: [Leak]
    /// Set where it is the first answer to an idempotency key again.
    package let isReplayed: Bool
    /// The revision from whose state its `changes` lead to this one; 0 where its client may know another.
    package let baseRevision: Int

    init(
        revision: Int, epoch: String?, state: [UInt8], ending: Ending?, newLeaks: [Leak], isReplayed: Bool,
        baseRevision: Int
    ) {
        self.revision = revision
        self.epoch = epoch
        self.state = state
        self.ending = ending
        self.newLeaks = newLeaks
        self.isReplayed = isReplayed
        self.baseRevision = baseRevision
    }
}

extension Snapshot {
    /// The state of a tree as it stands.
    ///
    /// - Parameters:
    ///   - tree: The tree.
    ///   - epoch: The mark that tells its revision from others.
    ///   - state: Its state as JSON.
    ///   - changes: The changes in it; those of the last input where nil.
    ///   - known: The number of leaks that are known; nil where nobody asks for others.
    @inline(__always)
    convenience init(
        _ tree: Tree, epoch: String?, state: [UInt8], changes: ChangeHistory? = nil, leaksSince known: Int?
    ) {
        let newLeaks = known.map { $0 == tree.leakCount ? [] : Array(tree.leaks.dropFirst($0)) } ?? []
        self.init(
            revision: tree.revision, epoch: epoch, state: state, ending: tree.ending, newLeaks: newLeaks,
            isReplayed: false,
            baseRevision: changes.map { $0.baseRevision(of: tree.revision) ?? 0 } ?? tree.revision - 1)
    }

    /// True for a state of the same revision, which a crash has not taken back between them.
    package func isSameRevision(as other: Snapshot) -> Bool { revision == other.revision && epoch == other.epoch }

    /// The same, as the answer to a key that has no answer of its own.
    var replayed: Snapshot {
        Snapshot(
            revision: revision, epoch: epoch, state: state, ending: ending, newLeaks: newLeaks, isReplayed: true,
            baseRevision: 0)
    }

    /// The first answer to a key again.
    convenience init(_ answer: KeyedAnswer, epoch: String?) {
        self.init(
            revision: answer.revision, epoch: epoch, state: answer.body, ending: nil, newLeaks: [],
            isReplayed: true, baseRevision: 0)
    }
}

extension Tree {
    /// Appends the whole state of a session.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - app: The name of its app.
    ///   - notes: The session's warnings beside the tree's.
    ///   - changes: The changes since the state that the client knows.
    ///   - writer: The writer to append to.
    func writeState(
        of id: SessionID, app: String, notes: [String] = [], changes: ChangeHistory? = nil,
        into writer: inout JSONWriter
    ) {
        writer.part(#"{"session":""#)
        writer.bytes.append(addingCapacity: SessionID.digitCount) { id.append(to: &$0) }
        writer.part(#"","app":"#)
        writer.string(app)
        writer.part(#","revision":"#)
        writer.integer(revision)
        writeState(into: &writer, notes: notes, changes: changes)
        writer.endObject()
    }

    /// The coordinators as JSON.
    var report: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1_024)
        writer.beginObject()
        writeReport(into: &writer)
        writer.endObject()
        return writer.bytes
    }
}

/// One session in an operator's list.
package struct SessionSummary: Sendable {
    /// The session's place in memory.
    package enum Memory: Sendable {
        /// It hibernates.
        case asleep
        /// It is in memory.
        case awake(Awake)
        /// It handles an input at this moment, and cannot be looked at.
        case busy
    }

    /// The details of one that is in memory.
    package struct Awake: Sendable {
        /// Screens in its stacks.
        package let screens: Int
        /// Its coordinators.
        package let coordinators: CoordinatorCounts
        /// Bytes of JSON of its screens.
        package let bytes: Int
        /// The name and the id of its visible screen; empty where it has none.
        package let visible: String

        /// The details of a tree.
        init(_ tree: Tree) {
            screens = tree.screens
            coordinators = tree.coordinatorCounts
            bytes = tree.stateBytes
            visible = tree.visibleScreen
        }
    }

    /// The key to it.
    package let id: SessionID
    /// The name of its app; nil where its record is damaged.
    package let app: String?
    /// The time at which it was opened.
    package let created: Timestamp
    /// The time of its newest input.
    package let changed: Timestamp
    /// The newest time of which is known that it was in use.
    package let used: Timestamp
    /// The most coordinators and view models at once that had ended and stayed in memory.
    package let leaked: Int
    /// The number of inputs that it has accepted, its creation included.
    package let revision: Int
    /// Bytes of its inputs in the journal.
    package let recorded: Int
    /// The user for whom a backend has opened it.
    package let subject: String?
    /// The tokens that open it; nil where its id alone does.
    package let access: SessionAccess?
    /// The reason for which this build must not serve it; nil where none is known.
    package let held: HoldReason?
    /// Its place in memory.
    package let memory: Memory
    /// Its size in memory; nil where it hibernates or is busy.
    package var awake: Awake? { if case .awake(let awake) = memory { awake } else { nil } }

    /// True where it is in memory here.
    package var isAwake: Bool { if case .asleep = memory { false } else { true } }

    init(_ id: SessionID, _ head: SessionHeader?, _ memory: Memory, used: Int64, held: HoldReason? = nil) {
        self.id = id
        self.held = head == nil ? held ?? .recordDamaged(cause: "its header cannot be read") : held
        app = head?.app
        created = Timestamp(milliseconds: head?.created ?? 0)
        changed = Timestamp(milliseconds: head?.time ?? 0)
        revision = head?.revision ?? 0
        recorded = head?.bytes ?? 0
        subject = head?.access?.subject
        access = head?.access.flatMap { $0.needsToken ? $0 : nil }
        self.memory = memory
        self.used = Timestamp(milliseconds: used)
        let leaks = if case .awake(let awake) = memory { awake.coordinators.leaked } else { 0 }
        leaked = max(head?.leaked ?? 0, leaks)
    }
}
