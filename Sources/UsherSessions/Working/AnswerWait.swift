import Usher

/// An answer to an input that waits for the effects which the input began, and for those that their results begin.
///
/// Not `Sendable`: it never leaves its session's lock.
final class AnswerWait {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// The client's key for the request, under which the answer is kept once it is there.
    let key: IdempotencyKey?
    /// All that has changed since the input.
    private(set) var changes: ChangeHistory
    /// The answer, once nothing has to be waited for; nil after too long a time.
    private(set) var answer: Settlement<Snapshot>?
    /// Whether the time is up, or there is an answer.
    private(set) var isOver = false
    /// The effects that have not come to their end.
    private var effects: Set<EffectID>
    private var waiters: [Waiter] = []

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
    ///   - pending: All that the tree waits for now.
    /// - Returns: Whether there is nothing to wait for any more.
    func follow(_ result: EffectID?, begun: [EffectID], pending: Set<EffectID>, _ changes: ChangeHistory) -> Bool {
        guard !isOver else { return false }
        self.changes.append(changes)
        if let result, effects.contains(result) { effects.formUnion(begun) }
        effects.formIntersection(pending)
        return effects.isEmpty
    }

    /// Adds one that waits for the answer.
    ///
    /// - Returns: Whether there is anything to wait for.
    func add(_ waiter: Waiter) -> Bool {
        guard !isOver else { return false }
        waiters.append(waiter)
        return true
    }

    /// Lets those go who wait.
    func end(_ answer: Settlement<Snapshot>? = nil) {
        guard !isOver else { return }
        self.answer = answer
        isOver = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
