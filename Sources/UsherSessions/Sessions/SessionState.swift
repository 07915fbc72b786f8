import UsherJournal

/// A session's tree, as far as the state machine around it has to know it.
protocol GuardedTree: AnyObject {
    /// The state that a dropped tree leaves to the one that is built in its place.
    associatedtype Carried: Sendable

    /// Its newest change. Once that has failed, the tree shows what never happened.
    var newest: PendingCommit { get }

    /// Its lineage.
    var lineage: Lineage { get }

    /// The state that it leaves when it is dropped as it stands.
    var carried: Carried { get }
}

/// A session's life as a state machine: it is told what happened, says what is to be done, and calls nobody.
///
/// ```
/// asleep ──▶ waking ──▶ awake ──▶ over ──▶ retired
///   ▲  ◀──────┘ ◀─────────┘ ◀──────┘
///   undone: the waking failed, the tree broke, its writes were not durable, or other servers have written since
/// ```
struct SessionState<Tree: GuardedTree> {
    /// Is told how the waking ended that it waits for: why there is no tree; nil where there may be one.
    typealias Waiter = @Sendable (SessionError?) -> Void
    /// The answer to every request on a session that is over.
    typealias Ending = PendingAnswer<Never>

    private enum Phase {
        /// There is no tree; what a dropped one has left.
        indirect case asleep(Tree.Carried?)
        /// One request builds the tree, outside the lock; these wait for it.
        indirect case waking(Tree.Carried?, [Waiter])
        /// There is a tree; other servers may have written since.
        case awake(Tree)
        /// It has ended; the answer tells when that is durable.
        indirect case over(Ending)
        /// It has left memory: whoever finds it has to look it up again.
        case retired
    }

    private var phase: Phase

    /// A session that is known to the journal alone, or not at all.
    init() {
        phase = .asleep(nil)
    }

    /// A session with a tree.
    init(_ tree: Tree) {
        phase = .awake(tree)
    }

    // MARK: A request

    /// The availability of a tree to a request.
    enum Availability {
        /// A tree, all of whose writes are durable or under way.
        case awake(Tree)
        /// No tree. Where one was dropped at this moment, its writes were not durable, and are not shown to watchers.
        indirect case asleep(Tree.Carried?, isDropped: Bool)
        /// No tree yet: it is being built.
        case waking
        /// The end.
        case over(Ending)
        /// Nothing: the session has to be looked up again.
        case retired
    }

    /// A request comes in.
    ///
    /// A tree or an end that was not made durable has not happened, and is dropped.
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

    /// An input has broken the tree.
    ///
    /// - Parameter carried: The state that the tree leaves to the one that is built in its place.
    mutating func undo(leaving carried: Tree.Carried) {
        phase = .asleep(carried)
    }

    /// The session has ended: by an input, from outside, or without a tree.
    ///
    /// - Parameter ending: The answer to every later request.
    mutating func end(with ending: Ending) {
        phase = .over(ending)
    }

    private mutating func drop(leaving carried: Tree.Carried?) -> Availability {
        phase = .asleep(carried)
        return .asleep(carried, isDropped: true)
    }

    /// The lineage of the tree, or of the one that has ended the session; nil if there is none.
    var lineage: Lineage? {
        switch phase {
        case .awake(let tree): tree.lineage
        case .over(let ending): ending.lineage
        case .asleep, .waking, .retired: nil
        }
    }

    /// The answer to every request, where the session is over.
    var ending: Ending? {
        if case .over(let ending) = phase { ending } else { nil }
    }

    // MARK: Waking

    /// The part of a request in the waking.
    enum WakePart {
        /// Nothing: there is one, or there will be none.
        case none
        /// Build it.
        case build(after: Tree.Carried?)
        /// Wait for the request that builds it.
        case wait
    }

    /// The result of the waking.
    enum WakeEnd {
        case awake(Tree)
        case over(Ending)
        case failed
    }

    /// A request needs a tree.
    mutating func beginWaking() -> WakePart {
        switch phase {
        case .asleep(let carried):
            phase = .waking(carried, [])
            return .build(after: carried)
        case .waking: return .wait
        case .awake, .over, .retired: return .none
        }
    }

    /// A request waits for the waking.
    ///
    /// - Returns: False if no request is building a tree. Then the waiter is not called.
    mutating func wait(_ waiter: @escaping Waiter) -> Bool {
        guard case .waking(let carried, let waiters) = phase else { return false }
        phase = .waking(carried, waiters + [waiter])
        return true
    }

    /// The waking has ended; where it failed, what a dropped tree has left is there for the next attempt.
    ///
    /// - Returns: Those who wait for it.
    mutating func endWaking(_ end: WakeEnd) -> [Waiter] {
        guard case .waking(let carried, let waiters) = phase else { return [] }
        switch end {
        case .awake(let tree): phase = .awake(tree)
        case .over(let ending): phase = .over(ending)
        case .failed: phase = .asleep(carried)
        }
        return waiters
    }

    // MARK: A commit

    /// The consequence of a commit.
    enum Consequence {
        /// The tree's work begins, as far as it is durable.
        case work(Tree)
        /// The tree has to be built anew, for something that it wrote behind this has failed: then its work begins.
        case rebuild
        /// All work ends, and nobody watches any more: the session is over.
        case stop
        /// Nothing.
        case none
    }

    /// The consequence, once a change of the session has become durable.
    var consequence: Consequence {
        switch phase {
        case .awake(let tree): tree.newest.hasFailed ? .rebuild : .work(tree)
        case .over(let ending) where ending.commit.hasHappened: .stop
        case .asleep, .waking, .over, .retired: .none
        }
    }

    // MARK: Leaving memory

    /// The verdict on a session that is to leave memory.
    enum Retirement {
        /// It stays, for something is under way.
        case refused
        /// It leaves.
        case left
        /// It leaves, and so do the coordinators of a dropped tree, which counted as being in memory.
        indirect case forgotten(Tree.Carried?)
        /// It leaves, and gives its tree's memory back.
        case hibernated(Tree)
    }

    /// Takes the session out of memory, unless something is under way.
    ///
    /// - Parameters:
    ///   - isIdle: True for a tree that has nothing to do for the time being.
    ///   - hasEffects: True where effects go on without a tree: one was dropped, and their results wait for the next.
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
    /// Drops the tree or the end of a lineage, because other servers have written since: the next request reads the record.
    mutating func drop(_ lineage: Lineage) {
        switch phase {
        case .awake(let tree) where tree.lineage == lineage: phase = .asleep(tree.carried)
        case .over(let ending) where ending.lineage == lineage: phase = .asleep(nil)
        case .asleep, .waking, .awake, .over, .retired: break
        }
    }

    /// The newest change of a lineage, which may be the session's end; nil if the session goes on with another, or without
    /// a tree.
    func newest(of lineage: Lineage) -> PendingCommit? {
        switch phase {
        case .awake(let tree) where tree.lineage == lineage: tree.newest
        case .over(let ending) where ending.lineage == lineage: ending.commit
        case .asleep, .waking, .awake, .over, .retired: nil
        }
    }
}
