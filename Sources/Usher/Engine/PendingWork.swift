/// An effect or timer that a tree waits for, with its owner and its closure.
final class PendingWork {
    /// The closure that is called with the coordinator when the work ends; should capture nothing.
    enum Completion {
        case effect((AnyCoordinator, EffectOutcome, SecretLedger) throws -> Void)
        case timer((AnyCoordinator) throws -> Void)
    }

    private(set) var id: EffectID
    let name: String
    /// The reference never dangles, because work is removed before its coordinator.
    unowned let node: Node
    /// The screen whose leaving ends the work; nil if only the coordinator's end ends the work.
    let screen: ScreenInstance?
    let origin: SourceLocation
    private(set) var kind: Work.Kind?
    private(set) var completion: Completion?
    /// The effect; nil for a timer, and after the work is over.
    private(set) var source: (any Effect)?
    let isTimer: Bool
    /// The recorded work that was matched with this work; nil if there is none.
    private(set) var recorded: RecordedWork?
    /// The duration of a deferred timer; nil for an effect.
    private var delay: Duration?
    /// Whether the work is not over, and the work's tree exists.
    private(set) var isPending = true
    /// Whether the work may retain objects that have left, so that they count as leaks only after the work's end.
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

    var effect: (any Effect.Type)? { source.map { type(of: $0) } }

    /// The work as the session runs it; nil for deferred work.
    var work: Work? { isDeferred ? nil : kind.map { Work(id: id, name: name, kind: $0) } }

    /// Whether the work waits for the next new input, because a replay began the work and the build that recorded the
    /// input did not.
    var isDeferred: Bool { id.revision == .max }

    /// Returns whether recorded work has this work's name, or a former name of its effect.
    func isNamed(_ recorded: RecordedWork) -> Bool {
        isTimer == recorded.isTimer && (name == recorded.name || effect?.formerNames.contains(recorded.name) ?? false)
    }

    /// Returns whether recorded work has this work's name, owner, and value or due time.
    fileprivate func isSame(as recorded: RecordedWork, limit: Int) -> Bool {
        guard isNamed(recorded), owner == recorded.owner else { return false }
        // A deferred timer starts later, so its due time differs.
        return isTimer ? isDeferred || work?.due == recorded.due : value(limit: limit) == recorded.value
    }

    /// Matches this work with recorded work, and takes the recorded id.
    func become(_ recorded: RecordedWork) {
        (id, self.recorded) = (recorded.id, recorded)
    }

    /// Defers the work to the next input that is not a replay, at a position among all deferred work.
    fileprivate func beDeferred(at place: Int, since now: Timestamp) {
        if delay == nil, case .timer(let due) = kind { delay = .milliseconds(due.milliseconds - now.milliseconds) }
        id = EffectID(revision: .max, index: place)
    }

    /// Begins deferred work in an input.
    fileprivate func begin(as id: EffectID, at now: Timestamp) {
        self.id = id
        if let delay { kind = .timer(due: now.advanced(by: delay)) }
        delay = nil
    }

    /// Sets the recorded value or due time; returns false if this build cannot decode the value.
    func apply(_ recorded: RecordedWork, limit: Int) -> Bool {
        if let due = recorded.due, isTimer { kind = .timer(due: due) }
        guard let value = recorded.value, let effect, kind != nil, value != self.value(limit: limit) else {
            return true
        }
        guard let kind = effect.kind(of: value, limit: limit) else { return false }
        self.kind = kind
        return true
    }

    /// A description for messages, such as `the effect "signIn"`.
    var description: String { isTimer ? "a timer" : "the effect \"\(name)\"" }

    func mayHoldWhatLeft() {
        excusesLeaks = true
    }

    /// Marks the work as no longer pending; a coordinator that has nothing left is cancelled later.
    fileprivate func didLeave() {
        isPending = false
        node.tree.hierarchy.didEndWork(of: node)
    }

    /// Releases everything that the work retains, so that a `WorkHandle` keeps nothing alive.
    func forget() {
        isPending = false
        completion = nil
        kind = nil
        source = nil
    }

    /// Makes an effect fail whenever it runs.
    func fail(as failure: EffectFailure) {
        if !isTimer { kind = .effect { _, _ in .failure(failure) } }
    }

    /// Releases only the closure, to find out what the closure retained.
    func dropCompletion() {
        completion = nil
    }

    /// Releases the effect, to find out what the effect retained.
    func dropEffect() {
        kind = nil
        source = nil
    }
}

/// The work that a tree waits for.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
final class PendingWorkList {
    /// The pending work, ordered by id; replaced as a whole, for the reason given at `Window.modals`.
    @safe @exclusivity(unchecked) private(set) var items: [PendingWork] = []
    /// The work that the last input has cancelled.
    @safe @exclusivity(unchecked) private(set) var cancelled: [EffectID] = []

    /// Whether no work is pending; check this before a loop over `items`, because a loop retains the array.
    var isEmpty: Bool { items.isEmpty }

    func has(workOf node: Node) -> Bool { items.contains { $0.node === node } }

    /// Returns the newest work, up to an id, that may retain objects that have left.
    func newestExcuse(upTo limit: EffectID? = nil) -> EffectID? {
        items.last { $0.excusesLeaks && $0.id <= limit ?? $0.id }?.id
    }

    /// Begins an effect that ends with a coordinator and, if given, with a screen; returns nil if the effect did not begin.
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

    /// Begins a timer; returns nil if the timer did not begin.
    @discardableResult
    func begin(
        timer duration: Duration, by node: Node, with screen: ScreenInstance?, _ origin: SourceLocation,
        _ completion: @escaping (AnyCoordinator) throws -> Void
    ) -> PendingWork? {
        let due = node.tree.transaction.now.advanced(by: duration)
        return begin("timer", .timer(due: due), by: node, with: screen, origin, of: nil, .timer(completion))
    }

    /// Cancels the work of a screen that leaves.
    ///
    /// If the screen's own handler has just begun the work, adds a warning, because the result would be lost. In other
    /// cases, there is no mistake: for example, a link may lead away from a screen that was just shown.
    func discard(goingWith screen: ScreenInstance, in tree: Tree) {
        guard !items.isEmpty else { return }
        if tree.transaction.isHandlingScreen {
            for work in items where work.screen === screen && work.id.revision > tree.revision {
                tree.warnings.add(
                    """
                    \(work.node.path): \(work.description) began and was cancelled in the same input, because its screen \
                    "\(screen.name)" was removed; begin it with the handle of a screen that stays
                    """)
            }
        }
        discard { $0.screen === screen }
    }

    /// Cancels the work that satisfies a predicate.
    func discard(where isGone: (PendingWork) -> Bool) {
        guard !items.isEmpty else { return }
        // Keep the work alive until the end, because objects that are released together with it may act on this tree.
        let gone = items.filter(isGone)
        guard !gone.isEmpty else { return }
        items = items.filter { work in !gone.contains { $0 === work } }
        cancelled += gone.map(\.id)
        for work in gone { work.didLeave() }
        for work in gone { work.forget() }
    }

    func forgetCancelled() {
        if !cancelled.isEmpty { cancelled = [] }
    }

    /// Releases all work before the tree is released.
    func forgetAll() {
        for work in items { work.forget() }
    }

    /// Removes work and returns it, so that the caller can call the work's closure.
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
    /// Matches the work of the last input with recorded work, defers the work without a match, and returns the recorded
    /// work without a match.
    ///
    /// Work matches recorded work with an equal name, owner, and value or due time. Of the remaining work, all work
    /// with the same name matches if there is equally much recorded work with that name. Deferred work of earlier
    /// inputs is tried last. `revision` is nil if `recorded` is all pending work.
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
        // Earlier deferred work must not match recorded work that work of this input may match.
        var others = missing.filter { recorded in !rest.contains { $0.isNamed(recorded) } }
        missing.removeAll { recorded in others.contains { $0.id == recorded.id } }
        if !others.isEmpty { _ = match(items.filter(\.isDeferred), with: &others, limit: limit) }
        missing += others
        var place = items.filter(\.isDeferred).map(\.id.index).max() ?? 0
        for work in rest {
            // A resumption lists all pending work, so recorded work that is not in the list has ended.
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

    /// Matches work with recorded work, and returns the work without a match.
    private func match(_ work: [PendingWork], with missing: inout [RecordedWork], limit: Int) -> [PendingWork] {
        var rest = work
        missing.removeAll { recorded in
            guard let index = rest.firstIndex(where: { $0.isSame(as: recorded, limit: limit) }) else { return false }
            rest.remove(at: index).become(recorded)
            return true
        }
        for recorded in missing {
            let alike = rest.filter { $0.isNamed(recorded) }
            // If the numbers differ, it is unknown which work corresponds to which recorded work.
            guard let first = alike.first, missing.count(where: { first.isNamed($0) }) == alike.count else { continue }
            first.become(recorded)
            rest.removeAll { $0 === first }
            missing.removeAll { $0.id == recorded.id }
        }
        return rest
    }

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

/// Work that a session runs for its tree.
///
/// The work starts after the commit of the input that began the work, and the work's result is an input.
package struct Work: Sendable {
    /// The kinds of work.
    package enum Kind: Sendable {
        /// An effect. The closure receives the app's services, and an id that stays the same when the effect runs
        /// again.
        case effect(run: @Sendable (_ services: any Sendable, _ id: String) async -> EffectOutcome)
        /// A time to wait for.
        case timer(due: Timestamp)
    }

    /// The work's id within the session.
    package let id: EffectID
    /// The effect's name; `timer` for a timer.
    package let name: String
    /// The kind, with the closure to run or the time to wait for.
    package let kind: Kind
}

extension Work {
    /// The time at which a timer is due; nil for an effect.
    package var due: Timestamp? {
        guard case .timer(let due) = kind else { return nil }
        return due
    }
}
