package import Usher
import UsherBytes
import UsherJSON
package import UsherJournal

/// A session's state at one revision.
///
/// The type is a class, because a snapshot passes through many functions. If it were a structure, each function would
/// copy all fields and retain each reference.
package final class Snapshot: Sendable {
    /// The number of inputs that the session has accepted, including its creation.
    package let revision: Int
    /// The journal's epoch; `nil` if a crash cannot undo revisions.
    ///
    /// A crash may undo a revision, and a later revision may then have the same number but another epoch.
    package let epoch: String?
    package let state: [UInt8]
    /// The end of the session, if the input ended it.
    package let ending: Ending?
    /// Ended coordinators and view models that stayed in memory after this input, for the log.
    package let newLeaks: [Leak]
    /// A Boolean value that indicates whether this is the stored first answer for an idempotency key.
    package let isReplayed: Bool
    /// The revision on which the state's `changes` are based; 0 if this revision is unknown.
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
    /// Creates a snapshot of a tree's current state.
    ///
    /// If `changes` is `nil`, the state shows the changes by the last input. If `known` is `nil`, new leaks are not
    /// needed.
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

    /// Returns `true` if both snapshots show the same revision in the same epoch.
    package func isSameRevision(as other: Snapshot) -> Bool { revision == other.revision && epoch == other.epoch }

    /// The same state, marked as the first answer for an idempotency key whose answer was not stored.
    var replayed: Snapshot {
        Snapshot(
            revision: revision, epoch: epoch, state: state, ending: ending, newLeaks: newLeaks, isReplayed: true,
            baseRevision: 0)
    }

    /// Creates the snapshot of a stored first answer for an idempotency key.
    convenience init(_ answer: KeyedAnswer, epoch: String?) {
        self.init(
            revision: answer.revision, epoch: epoch, state: answer.body, ending: nil, newLeaks: [],
            isReplayed: true, baseRevision: 0)
    }
}

extension Tree {
    /// Appends the complete state of a session.
    ///
    /// `notes` are the session's warnings, in addition to the tree's warnings.
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

    var report: [UInt8] { JSONWriter.object { writeReport(into: &$0) } }
}

/// One session in an operator's list.
package struct SessionSummary: Sendable {
    package enum Memory: Sendable {
        /// The session is not in memory.
        case asleep
        case awake(Awake)
        /// The session is in memory, but its lock is not free, so its details cannot be read.
        case busy
    }

    /// The details of a session that is in memory.
    package struct Awake: Sendable {
        /// The number of screens in the stacks.
        package let screens: Int
        package let coordinators: CoordinatorCounts
        /// The size of the screens' JSON, in bytes.
        package let bytes: Int
        /// The name and the id of the visible screen; empty if there is none.
        package let visible: String

        init(_ tree: Tree) {
            screens = tree.screens
            coordinators = tree.coordinatorCounts
            bytes = tree.stateBytes
            visible = tree.visibleScreen
        }
    }

    package let id: SessionID
    /// The session's header; `nil` if the record is damaged.
    package let head: SessionHeader?
    /// The newest known time when the session was used.
    package let used: Timestamp
    /// The largest number of leaked coordinators and view models that the session has had so far.
    package let leaked: Int
    /// The reason why this build must not serve the session; `nil` if none is known.
    package let held: HoldReason?
    package let memory: Memory
    /// When and why the session ended; `nil` if the session is live.
    package var tombstone: Tombstone? { head.flatMap { Tombstone($0) } }
    /// The details of the session; `nil` if the session hibernates or is busy.
    package var awake: Awake? { if case .awake(let awake) = memory { awake } else { nil } }

    /// A Boolean value that indicates whether the session is in this server's memory.
    package var isAwake: Bool { if case .asleep = memory { false } else { true } }

    init(_ id: SessionID, _ head: SessionHeader?, _ memory: Memory, used: Int64, held: HoldReason? = nil) {
        self.id = id
        self.head = head
        self.held = head == nil ? held ?? .recordDamaged(cause: "its header cannot be read") : held
        self.memory = memory
        self.used = Timestamp(milliseconds: used)
        let leaks = if case .awake(let awake) = memory { awake.coordinators.leaked } else { 0 }
        leaked = max(head?.leaked ?? 0, leaks)
    }
}
