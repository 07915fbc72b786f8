import Synchronization
import Usher
import UsherJournal

/// What a session does outside of its tree: it runs effects and timers, delays answers, and stores states for watchers.
///
/// The object outlives a dropped tree, because the work of the rebuilt tree has the same ids. `BackgroundWork` is not
/// `Sendable`, and only the holder of the session's lock uses the object. Its properties therefore need no checks for
/// exclusive access.
final class BackgroundWork {
    /// The effects and timers that have started but not ended, by their ids in the tree.
    @safe @exclusivity(unchecked) private var running: [EffectID: Run] = [:]
    /// The work that can never complete, because neither its result nor a rejection could be recorded.
    @safe @exclusivity(unchecked) private var abandoned: Set<EffectID> = []
    /// The answers that wait for effects, by the token of the wait.
    @safe @exclusivity(unchecked) private var waits: [Int: AnswerWait] = [:]
    @safe @exclusivity(unchecked) private var nextToken = 1
    /// The states that are not durable yet, which watchers must not see; in the order of their revisions.
    @safe @exclusivity(unchecked) private var unseen: [Snapshot] = []
    /// The newest revision of the current tree that is known to be durable.
    @safe @exclusivity(unchecked) private(set) var durable = 0

    /// A Boolean value that indicates whether the session must act when a revision becomes durable.
    var isBusy: Bool { !running.isEmpty || !waits.isEmpty || !unseen.isEmpty }

    private struct Run {
        let task: Task<Void, Never>
        let isEffect: Bool
    }

    // MARK: Effects and timers

    /// Starts the tree's work that does not run yet, and cancels work that the tree no longer waits for.
    ///
    /// Starts only work in `owned`, or all work if `owned` is `nil`.
    func run(
        _ work: [Work], at revision: Int, _ owned: OwnedWork?, of key: JournalKey, _ start: (Work) -> Task<Void, Never>
    ) {
        let pending = Set(work.map(\.id))
        // If other servers may write first, an input that is not durable cancels no work. If the input is lost, the
        // work is pending again, and still submits its result.
        let isDurable = revision <= durable
        if isDurable || owned == nil { cancel(allBut: pending) }
        abandoned.formIntersection(pending)
        // Does not start work of an input that is not durable, because the input may be lost.
        for work in work where work.id.revision <= durable && running[work.id] == nil {
            guard owned?.mayBegin(work.id, of: key) ?? true else { continue }
            running[work.id] = Run(task: start(work), isEffect: work.due == nil)
        }
        if isDurable { owned?.settle(pending: pending, through: revision, of: key) }
    }

    private func cancel(allBut pending: Set<EffectID>) {
        for (id, run) in running where !pending.contains(id) {
            run.task.cancel()
            running[id] = nil
        }
    }

    /// Returns `true` if no answer waits, and no work requires the session to stay in memory.
    ///
    /// Work on another server, abandoned work, and a timer that is due after `time`, in milliseconds since 1970, do not
    /// require the session to stay.
    func isIdle(_ work: [Work], until time: Int64, _ owned: OwnedWork?, of key: JournalKey) -> Bool {
        waits.isEmpty
            && work.allSatisfy { piece in
                piece.due?.milliseconds ?? 0 > time || abandoned.contains(piece.id)
                    || owned.map { !$0.has(piece.id, of: key) } ?? false
            }
    }

    /// A Boolean value indicating whether an effect is running or submitting its result, even if the tree was dropped.
    var hasEffects: Bool { running.contains { $0.value.isEffect && !abandoned.contains($0.key) } }

    /// Removes running work whose result could not be submitted, so that it starts again with the next tree.
    func lose(_ id: EffectID) {
        if !abandoned.contains(id) { running[id] = nil }
    }

    func abandon(_ id: EffectID) {
        abandoned.insert(id)
    }

    /// Cancels all running work; the work may start again later.
    func interrupt() { cancel(allBut: []) }

    /// Cancels all work and ends all waits, because the session has ended or leaves memory.
    func stop() {
        for run in running.values { run.task.cancel() }
        running = [:]
        for wait in waits.values { wait.end() }
    }

    // MARK: States to show

    /// Stores a state for the watchers until the state is durable.
    func show(_ snapshot: Snapshot) {
        unseen.append(snapshot)
    }

    /// Sets the newest durable revision to the revision of a new tree, which was read from the journal.
    func goOn(from revision: Int) {
        durable = revision
    }

    /// Sets the newest durable revision, and returns the states that watchers may now see.
    func takeSeen(through revision: Int) -> [Snapshot] {
        durable = revision
        let seen = unseen.prefix { $0.revision <= durable }
        unseen.removeFirst(seen.count)
        return Array(seen)
    }

    /// Removes stored states that will not become durable, because their tree was dropped.
    ///
    /// - Parameter revision: The session's revision in the journal, if it was read after the tree was dropped; else 0.
    func undo(beyond revision: Int = 0) {
        unseen.removeAll { $0.revision > revision }
    }

    // MARK: Answers that wait

    var hasWaits: Bool { !waits.isEmpty }

    subscript(token: Int) -> AnswerWait? { waits[token] }

    /// Registers a request that waits until the answer with its key was sent; returns `false` if no such answer waits.
    func add(_ twin: Latch<Void>, toWaitOf key: String) -> Bool {
        guard let wait = waits.values.first(where: { $0.key?.text == key }) else { return false }
        wait.twins.append(twin)
        return true
    }

    /// Makes the answer to the last input wait for the effects that the input started, but not for timers.
    ///
    /// - Returns: The token of the wait; `nil` if the input started no effect.
    func wait(for tree: Tree, key: IdempotencyKey?) -> Int? {
        guard tree.hasWork else { return nil }
        let effects = tree.begunEffects
        guard !effects.isEmpty else { return nil }
        defer { nextToken += 1 }
        waits[nextToken] = AnswerWait(for: effects, tree.changes, key: key)
        return nextToken
    }

    /// Adds a handled input's changes and effects to the answers, and returns the answers that no longer need to wait.
    func follow(_ content: InputContent, on tree: Tree) -> [AnswerWait] {
        guard !waits.isEmpty else { return [] }
        let begun = tree.begunEffects
        for wait in waits.values { wait.follow(content.result, begun: begun, tree.changes) }
        return waits(forNoneOf: tree.work)
    }

    /// Returns the answers that no longer need to wait, because the tree waits for none of their effects.
    func waits(forNoneOf work: [Work]) -> [AnswerWait] {
        guard !waits.isEmpty else { return [] }
        let pending = Set(work.map(\.id))
        return waits.values.filter { $0.waits(forNoneOf: pending) }
    }

    /// Removes a waiting answer that was sent, and returns the other requests with the same key, which waited for it.
    func remove(_ token: Int) -> [Latch<Void>] {
        let wait = waits.removeValue(forKey: token)
        wait?.end()
        return wait?.twins ?? []
    }
}

extension Tree {
    /// The time when the session must be in memory for its next work; 0 if an effect is pending, `nil` without work.
    var wakeAt: Int64? { hasWork ? work.map { $0.due?.milliseconds ?? 0 }.min() : nil }

    fileprivate var begunEffects: [EffectID] {
        work.filter { $0.id.revision == revision && $0.due == nil }.map(\.id)
    }
}

/// An answer that waits for the effects of its input, and for further effects that the results of these effects start.
///
/// `AnswerWait` is not `Sendable`; only the holder of the session's lock uses it.
final class AnswerWait {
    /// The client's key for the request, under which the complete answer is stored.
    let key: IdempotencyKey?
    /// All changes since the input, including changes by later inputs.
    private(set) var changes: ChangeHistory
    /// The complete answer; `nil` if the time limit was reached first.
    private(set) var answer: PendingAnswer<Snapshot>?
    /// A Boolean value indicating whether the answer is complete or the time limit was reached.
    private var isOver = false
    /// Opened when the wait is over.
    let over = Latch<Void>()
    /// The effects to wait for, including ended ones, because their results may not be durable yet.
    private var effects: Set<EffectID>
    /// Requests with the same key, which wait until the answer is written.
    fileprivate var twins: [Latch<Void>] = []

    init(for effects: [EffectID], _ changes: ChangeHistory, key: IdempotencyKey?) {
        self.effects = Set(effects)
        self.changes = changes
        self.key = key
    }

    /// Adds a later input's changes and, if the input is the result of one of `effects`, the effects that it started.
    fileprivate func follow(_ result: EffectID?, begun: [EffectID], _ changes: ChangeHistory) {
        guard !isOver else { return }
        self.changes.append(changes)
        if let result, effects.contains(result) { effects.formUnion(begun) }
    }

    /// Returns `true` if the wait is not over, and none of the answer's effects is pending.
    fileprivate func waits(forNoneOf pending: Set<EffectID>) -> Bool { !isOver && effects.isDisjoint(with: pending) }

    /// Ends the wait, and resumes the tasks that wait for `over`.
    func end(_ answer: PendingAnswer<Snapshot>? = nil) {
        guard !isOver else { return }
        self.answer = answer
        isOver = true
        over.open(with: ())
    }
}
