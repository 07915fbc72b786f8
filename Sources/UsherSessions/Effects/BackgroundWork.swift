import Synchronization
import Usher
import UsherJournal

/// The work of a session beside its tree: effects and timers under way, answers that wait for them, and states that are
/// shown once they are durable.
///
/// It outlives a tree that is dropped; the work of the next one has the same ids. Not `Sendable`: it never leaves its
/// session's lock, so its state needs no checks for exclusive access.
final class BackgroundWork {
    /// Started and not come to its end, by the ids that the tree gave.
    @safe @exclusivity(unchecked) private var running: [EffectID: Run] = [:]
    /// The work of which nothing can come, for its result could not even be refused.
    @safe @exclusivity(unchecked) private var abandoned: Set<EffectID> = []
    /// Answers that wait, by their tokens.
    @safe @exclusivity(unchecked) private var waits: [Int: AnswerWait] = [:]
    @safe @exclusivity(unchecked) private var nextToken = 1
    /// States that watchers are shown as soon as they are durable, in the order of their revisions.
    @safe @exclusivity(unchecked) private var unseen: [Snapshot] = []
    /// The newest revision that is known to be durable: of the tree that there is, for commits of one before may be lost.
    @safe @exclusivity(unchecked) private(set) var durable = 0

    /// True where something has to be done whenever a revision becomes durable.
    var isBusy: Bool { !running.isEmpty || !waits.isEmpty || !unseen.isEmpty }

    /// A piece of work under way.
    private struct Run {
        let task: Task<Void, Never>
        let isEffect: Bool
    }

    // MARK: Effects and timers

    /// Starts work that is not running yet, and ends what the tree does not wait for any more.
    ///
    /// - Parameters:
    ///   - work: All that the tree waits for.
    ///   - revision: The tree's revision.
    ///   - owned: The work that this server owns: no other begins; nil where it owns all.
    ///   - key: The session.
    ///   - start: Begins it.
    func run(
        _ work: [Work], at revision: Int, _ owned: OwnedWork?, of key: JournalKey, _ start: (Work) -> Task<Void, Never>
    ) {
        let pending = Set(work.map(\.id))
        // Work that ended with an input which is not durable may be pending again, and where other servers may come first,
        // it hands its result in again.
        let isDurable = revision <= durable
        if isDurable || owned == nil { cancel(allBut: pending) }
        abandoned.formIntersection(pending)
        // An input that is not durable may not have happened, so nothing of it begins.
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

    /// True where nothing keeps the session in memory: no answer waits, and its work runs elsewhere, is a timer that is not
    /// due soon, or nothing can come of it.
    ///
    /// - Parameters:
    ///   - work: All that the tree waits for.
    ///   - time: The time by which timers are due that keep it: milliseconds since 1970.
    ///   - owned: The work that this server owns; nil where it owns all.
    ///   - key: The session.
    func isIdle(_ work: [Work], until time: Int64, _ owned: OwnedWork?, of key: JournalKey) -> Bool {
        waits.isEmpty
            && work.allSatisfy { piece in
                piece.due?.milliseconds ?? 0 > time || abandoned.contains(piece.id)
                    || owned.map { !$0.has(piece.id, of: key) } ?? false
            }
    }

    /// True while effects run or their results are handed in, with a tree or without.
    var hasEffects: Bool { running.contains { $0.value.isEffect && !abandoned.contains($0.key) } }

    /// Forgets a run whose result could not be handed in: the work begins anew with the next tree.
    func lose(_ id: EffectID) {
        if !abandoned.contains(id) { running[id] = nil }
    }

    /// Notes that nothing can come of a piece of work.
    func abandon(_ id: EffectID) {
        abandoned.insert(id)
    }

    /// Cancels all running work, so that it can begin again later.
    func interrupt() { cancel(allBut: []) }

    /// Ends everything: the session is over, or leaves memory.
    func stop() {
        for run in running.values { run.task.cancel() }
        running = [:]
        for wait in waits.values { wait.end() }
    }

    // MARK: States to be shown

    /// Holds a state back until it is durable.
    func show(_ snapshot: Snapshot) {
        unseen.append(snapshot)
    }

    /// Notes the revision to which the journal has the session, as a tree has just read.
    func goOn(from revision: Int) {
        durable = revision
    }

    /// Notes which revision is the newest durable one.
    ///
    /// - Returns: The states that may be shown by now.
    func takeSeen(through revision: Int) -> [Snapshot] {
        durable = revision
        let seen = unseen.prefix { $0.revision <= durable }
        unseen.removeFirst(seen.count)
        return Array(seen)
    }

    /// Forgets states that have not become durable, for their tree was dropped.
    ///
    /// - Parameter revision: The revision to which the journal has the session, as was found out since; 0 where that is not
    ///   known.
    func undo(beyond revision: Int = 0) {
        unseen.removeAll { $0.revision > revision }
    }

    // MARK: Answers that wait

    /// True where an answer waits.
    var hasWaits: Bool { !waits.isEmpty }

    /// The answer that waits under a token.
    subscript(token: Int) -> AnswerWait? { waits[token] }

    /// Lets a request wait for the departure of the answer that waits under its key.
    ///
    /// - Returns: False where none waits under it.
    func add(_ twin: Latch<Void>, toWaitOf key: String) -> Bool {
        guard let wait = waits.values.first(where: { $0.key?.text == key }) else { return false }
        wait.twins.append(twin)
        return true
    }

    /// Lets the answer to the last input wait for the effects that it began; timers are not waited for.
    ///
    /// - Returns: The token of the wait; nil where it began nothing.
    func wait(for tree: Tree, key: IdempotencyKey?) -> Int? {
        guard tree.hasWork else { return nil }
        let effects = tree.begunEffects
        guard !effects.isEmpty else { return nil }
        defer { nextToken += 1 }
        waits[nextToken] = AnswerWait(for: effects, tree.changes, key: key)
        return nextToken
    }

    /// Tells the answers that wait of an input.
    ///
    /// - Parameters:
    ///   - content: The input.
    ///   - tree: The tree, which has handled it.
    /// - Returns: Those that need wait no longer.
    func follow(_ content: InputContent, on tree: Tree) -> [AnswerWait] {
        guard !waits.isEmpty else { return [] }
        let begun = tree.begunEffects
        for wait in waits.values { wait.follow(content.result, begun: begun, tree.changes) }
        return waits(forNoneOf: tree.work)
    }

    /// The answers that need wait no longer.
    ///
    /// - Parameter work: All that the tree waits for.
    func waits(forNoneOf work: [Work]) -> [AnswerWait] {
        guard !waits.isEmpty else { return [] }
        let pending = Set(work.map(\.id))
        return waits.values.filter { $0.waits(forNoneOf: pending) }
    }

    /// Forgets an answer that has left.
    ///
    /// - Returns: The twins of its request, which wait for that.
    func remove(_ token: Int) -> [Latch<Void>] {
        let wait = waits.removeValue(forKey: token)
        wait?.end()
        return wait?.twins ?? []
    }
}

extension Tree {
    /// The time at which the session has something to do without being asked: at once for an effect, which may have been
    /// lost with its process.
    var wakeAt: Int64? { hasWork ? work.wakeAt : nil }

    /// The effects that the last input began.
    fileprivate var begunEffects: [EffectID] {
        work.filter { $0.id.revision == revision && $0.due == nil }.map(\.id)
    }
}

extension [Work] {
    /// The time at which the first of it is to be done.
    var wakeAt: Int64? { map { $0.due?.milliseconds ?? 0 }.min() }
}

/// An answer to an input that waits for the effects which the input began, and for those that their results begin.
///
/// Not `Sendable`: it never leaves its session's lock.
final class AnswerWait {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// The client's key for the request, under which the answer is written once it is there.
    let key: IdempotencyKey?
    /// All that has changed since the input.
    private(set) var changes: ChangeHistory
    /// The answer, once nothing has to be waited for; nil after too long a time.
    private(set) var answer: PendingAnswer<Snapshot>?
    /// Set once the time is up, or there is an answer.
    private var isOver = false
    /// The effects that the input began, and those that their results began; also after their ends, which may not be durable.
    private var effects: Set<EffectID>
    private var waiters: [Waiter] = []
    /// Requests with the same key, which wait until the answer is written.
    fileprivate var twins: [Latch<Void>] = []

    init(for effects: [EffectID], _ changes: ChangeHistory, key: IdempotencyKey?) {
        self.effects = Set(effects)
        self.changes = changes
        self.key = key
    }

    /// Follows a later input of the session.
    ///
    /// - Parameters:
    ///   - result: The effect whose result it was.
    ///   - begun: The effects that it began.
    fileprivate func follow(_ result: EffectID?, begun: [EffectID], _ changes: ChangeHistory) {
        guard !isOver else { return }
        self.changes.append(changes)
        if let result, effects.contains(result) { effects.formUnion(begun) }
    }

    /// Returns a Boolean value indicating whether none of its effects is among those that the tree waits for.
    fileprivate func waits(forNoneOf pending: Set<EffectID>) -> Bool { !isOver && effects.isDisjoint(with: pending) }

    /// Adds one that waits for the answer.
    ///
    /// - Returns: False where there is nothing to wait for.
    func add(_ waiter: Waiter) -> Bool {
        guard !isOver else { return false }
        waiters.append(waiter)
        return true
    }

    /// Lets those go who wait.
    func end(_ answer: PendingAnswer<Snapshot>? = nil) {
        guard !isOver else { return }
        self.answer = answer
        isOver = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
