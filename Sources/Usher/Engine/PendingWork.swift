/// Work that a tree waits for, with whom it belongs to and what its end does.
final class PendingWork {
    /// The closure for its end; the coordinator is passed in, never captured.
    enum Completion {
        case effect((AnyCoordinator, EffectOutcome, SecretLedger) throws -> Void)
        case timer((AnyCoordinator) throws -> Void)
    }

    private(set) var id: EffectID
    let name: String
    /// Never dangling: work goes before its coordinator does.
    unowned let node: Node
    /// The screen with which it goes; nil where it goes with its coordinator alone.
    let screen: ScreenInstance?
    /// The place where its closure was given.
    let origin: SourceLocation
    private(set) var kind: Work.Kind?
    private(set) var completion: Completion?
    /// The effect; nil for a timer, and once it is over.
    private(set) var source: (any Effect)?
    let isTimer: Bool
    /// The recorded work that it is; nil if this build alone has begun it.
    private(set) var recorded: RecordedWork?
    /// The time for which deferred work waits once it begins; nil for an effect.
    private var delay: Duration?
    /// False once it is over, or its tree is gone.
    private(set) var isPending = true
    /// Set for work that goes with no screen, and lets go of what its closure holds when it is done: what has left is no
    /// leak until then.
    private(set) var excusesLeaks = false

    init(
        _ id: EffectID, _ name: String, _ kind: Work.Kind, by node: Node, with screen: ScreenInstance?,
        _ origin: SourceLocation, of source: (any Effect)?, _ completion: Completion
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.node = node
        self.screen = screen
        self.origin = origin
        self.source = source
        self.completion = completion
        isTimer = if case .timer = completion { true } else { false }
    }

    /// The type of an effect, which has examples; nil for a timer.
    var effect: (any Effect.Type)? { source.map { type(of: $0) } }

    /// The work as its session sees it; nil for deferred work.
    var work: Work? { isDeferred ? nil : kind.map { Work(id: id, name: name, kind: $0) } }

    /// A Boolean value indicating whether no input has begun it yet: a replay has, at which an earlier build began no such
    /// work.
    var isDeferred: Bool { id.revision == .max }

    /// Returns a Boolean value indicating whether recorded work has its name, or one that it had in an earlier build.
    func isNamed(_ recorded: RecordedWork) -> Bool {
        isTimer == recorded.isTimer && (name == recorded.name || effect?.formerNames.contains(recorded.name) ?? false)
    }

    /// Returns a Boolean value indicating whether recorded work has its name, its owner, and its value or due time.
    fileprivate func isSame(as recorded: RecordedWork, limit: Int) -> Bool {
        guard isNamed(recorded), owner == recorded.owner else { return false }
        // A timer that was deferred began to count later.
        return isTimer ? isDeferred || work?.due == recorded.due : value(limit: limit) == recorded.value
    }

    /// Makes it the work that an entry has recorded.
    func become(_ recorded: RecordedWork) {
        (id, self.recorded) = (recorded.id, recorded)
    }

    /// Puts it off until the next input that is no replay.
    ///
    /// - Parameter place: Its place among all such work.
    fileprivate func beDeferred(at place: Int, since now: Timestamp) {
        if delay == nil, case .timer(let due) = kind { delay = .milliseconds(due.milliseconds - now.milliseconds) }
        id = EffectID(revision: .max, index: place)
    }

    /// Begins it in an input.
    fileprivate func begin(as id: EffectID, at now: Timestamp) {
        self.id = id
        if let delay { kind = .timer(due: now.advanced(by: delay)) }
        delay = nil
    }

    /// Replaces the value or the due time with the recorded one.
    ///
    /// - Returns: False if this build cannot decode the value.
    func apply(_ recorded: RecordedWork, limit: Int) -> Bool {
        if let due = recorded.due, isTimer { kind = .timer(due: due) }
        guard let value = recorded.value, let effect, kind != nil, value != self.value(limit: limit) else {
            return true
        }
        guard let kind = effect.kind(of: value, limit: limit) else { return false }
        self.kind = kind
        return true
    }

    /// Such as `the effect "signIn"`.
    var description: String { isTimer ? "a timer" : "the effect \"\(name)\"" }

    /// Has what has left be no leak until the work is done.
    func mayHoldWhatLeft() {
        excusesLeaks = true
    }

    /// Notes that it is pending no more: its coordinator may have waited for nothing else.
    fileprivate func didLeave() {
        isPending = false
        node.tree.hierarchy.didEndWork(of: node)
    }

    /// Lets go of all that it holds, so that an author who keeps a `WorkHandle` keeps nothing else.
    func forget() {
        isPending = false
        completion = nil
        kind = nil
        source = nil
    }

    /// Has an effect fail, whoever begins it.
    func fail(as failure: EffectFailure) {
        if !isTimer { kind = .effect { _, _ in .failure(failure) } }
    }

    /// Lets go of the closure alone, to see what it held.
    func dropCompletion() {
        completion = nil
    }

    /// Lets go of the effect itself, to see what it held.
    func dropEffect() {
        kind = nil
        source = nil
    }
}

/// The work that a tree waits for.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class PendingWorkList {
    /// All that has begun and not come to its end, in the order of ids; never changed in place, as `Window.modals`.
    @safe @exclusivity(unchecked) private(set) var items: [PendingWork] = []
    /// The work that the last input has taken away.
    @safe @exclusivity(unchecked) private(set) var cancelled: [EffectID] = []

    /// True where nothing is pending: asked before the list is walked, which is counted by reference for that.
    var isEmpty: Bool { items.isEmpty }

    /// True where a coordinator waits for some work.
    func has(workOf node: Node) -> Bool { items.contains { $0.node === node } }

    /// The newest work that may hold what has left until it is done, of that which began no later than another.
    func newestExcuse(upTo limit: EffectID? = nil) -> EffectID? {
        items.last { $0.excusesLeaks && $0.id <= limit ?? $0.id }?.id
    }

    /// Begins an effect.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - node: The coordinator that it goes with.
    ///   - screen: The screen that it goes with, too.
    ///   - origin: Where the closure was given.
    ///   - completion: What its result does.
    /// - Returns: The work; nil where it did not begin.
    @discardableResult
    func begin<E: Effect>(
        _ effect: E, by node: Node, with screen: ScreenInstance?, _ origin: SourceLocation,
        _ completion: @escaping (AnyCoordinator, Result<E.Output, EffectFailure>) throws -> Void
    ) -> PendingWork? {
        begin(
            E.cachedName, effect.kind(limit: node.tree.limits.outputBytes), by: node, with: screen, origin, of: effect,
            .effect { owner, outcome, secrets in
                try completion(owner, try E.result(outcome, secrets))
            })
    }

    /// Begins a timer.
    ///
    /// - Returns: The work; nil where it did not begin.
    @discardableResult
    func begin(
        timer duration: Duration, by node: Node, with screen: ScreenInstance?, _ origin: SourceLocation,
        _ completion: @escaping (AnyCoordinator) throws -> Void
    ) -> PendingWork? {
        let due = node.tree.transaction.now.advanced(by: duration)
        return begin("timer", .timer(due: due), by: node, with: screen, origin, of: nil, .timer(completion))
    }

    /// Takes away work that goes with a screen which leaves.
    ///
    /// Work that the handler itself has just begun would never be heard of: an author is told. Elsewhere, as where a link
    /// leads away from a place that was just shown, nobody has done it in vain.
    func discard(goingWith screen: ScreenInstance, in tree: Tree) {
        guard !items.isEmpty else { return }
        if tree.transaction.isHandlingScreen {
            for work in items where work.screen === screen && work.id.revision > tree.revision {
                tree.warnings.add(
                    """
                    \(work.node.path): \(work.description) that began in this input went with the screen \
                    "\(screen.name)", which left in the same input; begin it with the handle of a screen that stays
                    """)
            }
        }
        discard { $0.screen === screen }
    }

    /// Takes away work that goes with what has gone.
    func discard(where isGone: (PendingWork) -> Bool) {
        guard !items.isEmpty else { return }
        // Held to the end: what goes with it may act on this tree.
        let gone = items.filter(isGone)
        guard !gone.isEmpty else { return }
        items = items.filter { work in !gone.contains { $0 === work } }
        cancelled += gone.map(\.id)
        for work in gone { work.didLeave() }
        for work in gone { work.forget() }
    }

    /// Forgets what an earlier input has taken away.
    func forgetCancelled() {
        if !cancelled.isEmpty { cancelled = [] }
    }

    /// Lets go of all work, for its tree is about to go.
    func forgetAll() {
        for work in items { work.forget() }
    }

    /// Takes work away, so that its end can be told.
    func take(_ id: EffectID, where condition: (PendingWork) -> Bool = { _ in true }) -> PendingWork? {
        guard let work = items.first(where: { $0.id == id && condition($0) }) else { return nil }
        items = items.filter { $0 !== work }
        work.didLeave()
        return work
    }

    private func begin(
        _ name: String, _ kind: Work.Kind, by node: Node, with screen: ScreenInstance?, _ origin: SourceLocation,
        of source: (any Effect)?, _ completion: PendingWork.Completion
    ) -> PendingWork? {
        let tree = node.tree
        guard !tree.isBroken else { return nil }
        guard items.count < tree.limits.effects else {
            tree.fail(Rejection(.limit, "a session can wait for at most \(tree.limits.effects) effects at a time"))
            return nil
        }
        let id = EffectID(revision: tree.revision + 1, index: tree.transaction.countWork())
        let work = PendingWork(id, name, kind, by: node, with: screen, origin, of: source, completion)
        items = items + [work]
        return work
    }
}

extension PendingWorkList {
    /// Gives work the ids of the recorded work that it is, and defers all other that the last input has begun.
    ///
    /// Work matches if its name, its owner, and its value or due time do. What is left matches by name if both sides have the
    /// same number of that name. Deferred work of earlier inputs is tried last.
    ///
    /// - Parameters:
    ///   - recorded: The work that the input once began.
    ///   - revision: The revision of the input; nil if all pending work was recorded.
    /// - Returns: The recorded work that nothing was found for.
    func identify(_ recorded: [RecordedWork], begunAt revision: Int?, in tree: Tree) -> [RecordedWork] {
        let own = items.filter { !$0.isDeferred && $0.id.revision == revision ?? $0.id.revision }
        guard !own.isEmpty || !recorded.isEmpty else { return [] }
        let limit = tree.limits.outputBytes
        if own.map(\.id) == recorded.map(\.id), zip(own, recorded).allSatisfy({ $0.isNamed($1) }),
            Set(own.map(\.name)).count == own.count
                || zip(own, recorded).allSatisfy({ $0.isSame(as: $1, limit: limit) })
        {
            for (work, recorded) in zip(own, recorded) { work.become(recorded) }
            return []
        }
        var missing = recorded
        let rest = match(own, with: &missing, limit: limit)
        // Deferred work of earlier steps is none that may be this step's own.
        var others = missing.filter { recorded in !rest.contains { $0.isNamed(recorded) } }
        missing.removeAll { recorded in others.contains { $0.id == recorded.id } }
        if !others.isEmpty { _ = match(items.filter(\.isDeferred), with: &others, limit: limit) }
        missing += others
        var place = items.filter(\.isDeferred).map(\.id.index).max() ?? 0
        for work in rest {
            // A resumption lists all pending work, so work that was recorded and is not among it is gone.
            if revision == nil, work.recorded != nil {
                _ = take(work.id) { $0 === work }
                continue
            }
            place += 1
            work.beDeferred(at: place, since: tree.transaction.now)
        }
        items = items.sorted { $0.id < $1.id }
        return missing
    }

    /// Gives work the ids of the recorded work that it is.
    ///
    /// - Returns: The work that is none of it.
    private func match(_ work: [PendingWork], with missing: inout [RecordedWork], limit: Int) -> [PendingWork] {
        var rest = work
        missing.removeAll { recorded in
            guard let index = rest.firstIndex(where: { $0.isSame(as: recorded, limit: limit) }) else { return false }
            rest.remove(at: index).become(recorded)
            return true
        }
        for recorded in missing {
            let alike = rest.filter { $0.isNamed(recorded) }
            // Of others nobody can tell which is which.
            guard let first = alike.first, missing.count(where: { first.isNamed($0) }) == alike.count else { continue }
            first.become(recorded)
            rest.removeAll { $0 === first }
            missing.removeAll { $0.id == recorded.id }
        }
        return rest
    }

    /// Begins deferred work in the input that is being handled.
    func beginDeferred(in tree: Tree) {
        guard !items.isEmpty, items.contains(where: \.isDeferred) else { return }
        for work in items where work.isDeferred {
            work.begin(
                as: EffectID(revision: tree.revision + 1, index: tree.transaction.countWork()), at: tree.transaction.now
            )
        }
        items = items.sorted { $0.id < $1.id }
    }
}

/// Work that a session has to do for its tree: it is begun after the commit of the input that asked for it, and what
/// comes of it is an input.
package struct Work: Sendable {
    /// The kinds of work.
    package enum Kind: Sendable {
        /// Something to run, with what the app's `services()` made, and under a name that stays the same when it runs
        /// again.
        case effect(run: @Sendable (_ services: any Sendable, _ id: String) async -> EffectOutcome)
        /// A moment to wait for.
        case timer(due: Timestamp)
    }

    /// Its name within the session.
    package let id: EffectID
    /// The effect's name; `timer` for a timer.
    package let name: String
    /// The kind, with what is to be done.
    package let kind: Kind
}

extension Work {
    /// When a timer comes due; nil for an effect.
    package var due: Timestamp? {
        guard case .timer(let due) = kind else { return nil }
        return due
    }
}
