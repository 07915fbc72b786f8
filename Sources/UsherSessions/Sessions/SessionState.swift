import UsherJournal

/// A session's tree, as far as the state machine around it has to know it.
protocol GuardedTree: AnyObject {
    /// The state that a dropped tree leaves to the one that is built in its place.
    associatedtype Carried: Sendable

    /// Its newest change. Once that has failed, the tree shows what never happened.
    var newest: PendingCommit { get }

    /// Its lineage.
    var lineage: Lineage { get }

    /// A Boolean value indicating whether other servers have written since, or may have.
    var isBehind: Bool { get }

    /// Notes that other servers have written, or may have.
    func fallBehind()

    /// The state that it leaves when it is dropped as it stands.
    var carried: Carried { get }
}

/// A session's life as a state machine: it is told what happened, says what is to be done, and calls nobody.
///
/// ```
/// asleep ──▶ waking ──▶ awake ──▶ over ──▶ retired
///   ▲  ◀──────┘ ◀─────────┘ ◀──────┘
///   undone: the waking failed, the tree broke, or its writes were not durable
///   awake ◀──▶ catching up, where other servers have written
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
        /// There is a tree; it may be behind what other servers have written.
        case awake(Tree)
        /// One request reads what others have written, and the tree handles it; these wait for it.
        indirect case catchingUp(Tree, [Waiter])
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
        /// No tree yet: it is being built, or catches up.
        case waking
        /// A tree that has to catch up with other servers first.
        case behind(Tree)
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
            if tree.newest.hasFailed { return drop(leaving: tree.carried) }
            return tree.isBehind ? .behind(tree) : .awake(tree)
        case .over(let ending):
            return ending.commit.hasFailed ? drop(leaving: nil) : .over(ending)
        case .asleep(let carried): return .asleep(carried, isDropped: false)
        case .waking, .catchingUp: return .waking
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
        case .awake(let tree), .catchingUp(let tree, _): tree.lineage
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
        case .waking, .catchingUp: return .wait
        case .awake, .over, .retired: return .none
        }
    }

    /// A request waits for the waking, or for the tree that catches up.
    ///
    /// - Returns: False where nobody does either any more: the waiter is not told of anything.
    mutating func wait(_ waiter: @escaping Waiter) -> Bool {
        switch phase {
        case .waking(let carried, let waiters): phase = .waking(carried, waiters + [waiter])
        case .catchingUp(let tree, let waiters): phase = .catchingUp(tree, waiters + [waiter])
        case .asleep, .awake, .over, .retired: return false
        }
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
        case .asleep, .waking, .catchingUp, .over, .retired: .none
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
        case .waking, .catchingUp: return .refused
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
    /// The part of a request in catching up.
    enum CatchUpPart {
        /// Nothing: there is no tree that could.
        case none
        /// Read what others have written since the version to which the tree's newest change leads.
        case read(since: PendingCommit)
        /// Wait for the request that does.
        case wait
    }

    /// The end of catching up.
    enum CatchUpEnd {
        /// The tree stays: it has caught up, or the journal could not be read and it is behind still.
        case stays
        /// The tree has to go: what it stands on is not what the journal has.
        case dropped
        /// Another server has ended the session.
        case over(Ending)
    }

    /// A request needs to know what other servers have written.
    mutating func beginCatchingUp() -> CatchUpPart {
        switch phase {
        case .awake(let tree) where !tree.newest.hasFailed:
            phase = .catchingUp(tree, [])
            return .read(since: tree.newest)
        case .waking, .catchingUp: return .wait
        case .asleep, .awake, .over, .retired: return .none
        }
    }

    /// The tree that catches up.
    var follower: Tree? {
        if case .catchingUp(let tree, _) = phase { tree } else { nil }
    }

    /// Catching up has ended.
    ///
    /// - Returns: Those who wait for it.
    mutating func endCatchingUp(_ end: CatchUpEnd) -> [Waiter] {
        guard case .catchingUp(let tree, let waiters) = phase else { return [] }
        switch end {
        case .stays: phase = .awake(tree)
        case .dropped: phase = .asleep(tree.carried)
        case .over(let ending): phase = .over(ending)
        }
        return waiters
    }

    /// Another server is said to have come to a revision: a tree before it is behind.
    func hear(of revision: Int) {
        guard case .awake(let tree) = phase, let version = tree.newest.version, version.revision < revision else {
            return
        }
        tree.fallBehind()
    }

    /// Notes that other servers have written since a tree or an end, or may have: it is read anew.
    mutating func fallBehind(_ lineage: Lineage) {
        switch phase {
        case .awake(let tree) where tree.lineage == lineage: tree.fallBehind()
        case .over(let ending) where ending.lineage == lineage: phase = .asleep(nil)
        case .asleep, .waking, .awake, .catchingUp, .over, .retired: break
        }
    }

    /// The newest change of a lineage, which may be the session's end; nil if the session goes on with another, or without
    /// a tree.
    func newest(of lineage: Lineage) -> PendingCommit? {
        switch phase {
        case .awake(let tree) where tree.lineage == lineage: tree.newest
        case .over(let ending) where ending.lineage == lineage: ending.commit
        case .asleep, .waking, .awake, .catchingUp, .over, .retired: nil
        }
    }
}
