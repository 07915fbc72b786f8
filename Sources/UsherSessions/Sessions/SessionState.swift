import UsherJournal

/// The properties of a session's tree that `SessionState` needs.
protocol GuardedTree: AnyObject {
    /// The state that a dropped tree leaves to the next tree.
    associatedtype Carried: Sendable

    /// The newest change; if this change has failed, the tree shows inputs that had no effect.
    var newest: PendingCommit { get }

    var lineage: Lineage { get }

    /// The state that the tree leaves if it is dropped now.
    var carried: Carried { get }
}

/// The state machine of a session's life, which returns what the caller must do and calls no other code.
///
/// ```
/// asleep ──▶ waking ──▶ awake ──▶ over ──▶ retired
///   ▲  ◀──────┘ ◀─────────┘ ◀──────┘
///   undone: the waking failed, the tree broke, a write failed, or other servers have written since
/// ```
struct SessionState<Tree: GuardedTree> {
    /// A latch that opens when the waking has ended: with the error if there is no tree, otherwise with `nil`.
    typealias WakeLatch = Latch<SessionError?>
    /// The answer to every request for a session that has ended.
    typealias Ending = PendingAnswer<Never>

    private enum Phase {
        /// There is no tree. The value is the state that a dropped tree left.
        indirect case asleep(Tree.Carried?)
        /// One request builds the tree, without holding the lock. Other requests wait for this request.
        indirect case waking(Tree.Carried?, WakeLatch)
        /// There is a tree. Other servers may have written since the tree was built.
        case awake(Tree)
        /// The session has ended. The value is the answer, which is sent when the end is durable.
        indirect case over(Ending)
        /// The session has left memory and must be looked up again.
        case retired
    }

    private var phase: Phase

    init() {
        phase = .asleep(nil)
    }

    init(_ tree: Tree) {
        phase = .awake(tree)
    }

    // MARK: A request

    /// The state in which a request finds the session.
    enum Availability {
        /// There is a tree, and none of its writes has failed.
        case awake(Tree)
        /// There is no tree.
        ///
        /// If `isDropped`, `enter()` has just dropped a tree; watchers must not see its states that are not durable.
        indirect case asleep(Tree.Carried?, isDropped: Bool)
        /// There is no tree yet, because another request is building it.
        case waking
        case over(Ending)
        case retired
    }

    /// Called when a request enters the session.
    ///
    /// If the last write has failed, drops the tree or the end, because the newest state or the end never took effect.
    mutating func enter() -> Availability {
        switch phase {
        case .awake(let tree):
            return tree.newest.hasFailed ? drop(leaving: tree.carried) : .awake(tree)
        case .over(let ending):
            return ending.commit.hasFailed ? drop(leaving: nil) : .over(ending)
        case .asleep(let carried): return .asleep(carried, isDropped: false)
        case .waking: return .waking
        case .retired: return .retired
        }
    }

    /// Drops the tree, because an input broke it.
    mutating func undo(leaving carried: Tree.Carried) {
        phase = .asleep(carried)
    }

    /// Ends the session, with or without a tree, because an input or a request ended it.
    mutating func end(with ending: Ending) {
        phase = .over(ending)
    }

    private mutating func drop(leaving carried: Tree.Carried?) -> Availability {
        phase = .asleep(carried)
        return .asleep(carried, isDropped: true)
    }

    /// The lineage of the tree or of the session's end; `nil` if there is neither.
    var lineage: Lineage? {
        switch phase {
        case .awake(let tree): tree.lineage
        case .over(let ending): ending.lineage
        case .asleep, .waking, .retired: nil
        }
    }

    var ending: Ending? {
        if case .over(let ending) = phase { ending } else { nil }
    }

    // MARK: Waking

    /// The part of a request in waking the session.
    enum WakePart {
        /// The request must do nothing, because there is a tree, or because the session has ended or left memory.
        case none
        case build(after: Tree.Carried?)
        /// The request must wait for another request, which builds the tree.
        case wait(WakeLatch)
    }

    /// Called when a request needs a tree.
    mutating func beginWaking() -> WakePart {
        switch phase {
        case .asleep(let carried):
            phase = .waking(carried, WakeLatch())
            return .build(after: carried)
        case .waking(_, let latch): return .wait(latch)
        case .awake, .over, .retired: return .none
        }
    }

    /// The latch of the current waking; `nil` if no request builds a tree.
    var waking: WakeLatch? {
        if case .waking(_, let latch) = phase { latch } else { nil }
    }

    /// Ends the waking, and returns the latch to open; `nil` if no waking has begun.
    ///
    /// Without a tree, keeps the state that a dropped tree left, for the next attempt.
    mutating func endWaking(with tree: Tree?) -> WakeLatch? {
        guard case .waking(let carried, let latch) = phase else { return nil }
        phase = tree.map { .awake($0) } ?? .asleep(carried)
        return latch
    }

    // MARK: A commit

    /// What to do after a change of the session has become durable.
    enum Consequence {
        /// Start the tree's durable work.
        case work(Tree)
        /// Rebuild the tree, because a later write failed. The new tree then starts its work.
        case rebuild
        /// Stop all work and watchers, because the session has ended.
        case stop
        case none
    }

    var consequence: Consequence {
        switch phase {
        case .awake(let tree): tree.newest.hasFailed ? .rebuild : .work(tree)
        case .over(let ending) where ending.commit.hasHappened: .stop
        case .asleep, .waking, .over, .retired: .none
        }
    }

    // MARK: Leaving memory

    /// The result of an attempt to remove a session from memory.
    enum Retirement {
        /// The session stays, because it is in use.
        case refused
        case left
        /// The session leaves memory; the coordinators of a dropped tree still count as in memory.
        indirect case forgotten(Tree.Carried?)
        /// The session leaves memory, and the caller must end the tree.
        case hibernated(Tree)
    }

    /// Removes the session from memory, unless it is in use.
    ///
    /// If effects of a dropped tree still run, the session stays in memory for their results.
    mutating func retire(where isIdle: (Tree) -> Bool, keeping hasEffects: Bool) -> Retirement {
        switch phase {
        case .waking: return .refused
        case .retired: return .left
        case .asleep(let carried):
            guard !hasEffects else { return .refused }
            phase = .retired
            return .forgotten(carried)
        case .over(let ending):
            guard ending.commit.hasHappened else { return .refused }
            phase = .retired
            return .left
        case .awake(let tree):
            guard !tree.newest.hasFailed, isIdle(tree) else { return .refused }
            phase = .retired
            return .hibernated(tree)
        }
    }
}

// MARK: Other servers

extension SessionState {
    /// Drops the tree, or the session's end, if it has a lineage; the next request then reads the record.
    mutating func drop(_ lineage: Lineage) {
        switch phase {
        case .awake(let tree) where tree.lineage == lineage: phase = .asleep(tree.carried)
        case .over(let ending) where ending.lineage == lineage: phase = .asleep(nil)
        case .asleep, .waking, .awake, .over, .retired: break
        }
    }

    /// Returns the newest change of a lineage; `nil` if the session now has another lineage or no lineage.
    func newest(of lineage: Lineage) -> PendingCommit? {
        switch phase {
        case .awake(let tree) where tree.lineage == lineage: tree.newest
        case .over(let ending) where ending.lineage == lineage: ending.commit
        case .asleep, .waking, .awake, .over, .retired: nil
        }
    }
}
