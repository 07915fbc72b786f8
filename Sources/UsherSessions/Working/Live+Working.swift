import Usher
import UsherJournal

extension Live {
    /// When the session has something to do without being asked: at once for an effect, which may have been lost with
    /// its process.
    var wakeAt: Int64? {
        tree.work.map { $0.due?.milliseconds ?? 0 }.min()
    }

    /// Whether the session may leave memory: nothing runs, and no timer is due soon.
    var canHibernate: Bool {
        guard ongoing.waits.isEmpty else { return false }
        let soon = settings.clock.now().milliseconds &+ SessionSettings.foresight.milliseconds
        return wakeAt.map { $0 > soon } ?? true
    }

    /// Lets the answer to the last input wait for what it began; timers are not waited for.
    ///
    /// - Returns: The token of the wait; nil where it began nothing.
    func wait(key: IdempotencyKey?) -> Int? {
        let effects = begun
        guard !effects.isEmpty else { return nil }
        return ongoing.add(AnswerWait(for: effects, tree.changes, key: key))
    }

    /// Tells the answers that wait of an input.
    ///
    /// - Returns: Those that need wait no longer.
    func follow(_ input: Input) -> [AnswerWait] {
        guard !ongoing.waits.isEmpty else { return [] }
        let pending = Set(tree.work.map(\.id))
        return ongoing.waits.values.filter { wait in
            wait.follow(input.result, begun: begun, pending: pending, tree.changes)
        }
    }

    /// The effects that the last input began.
    private var begun: [EffectID] {
        tree.work.filter { $0.id.revision == tree.revision && $0.due == nil }.map(\.id)
    }

    /// Keeps a state for those that watch, until it may be shown.
    func show(_ snapshot: Snapshot) {
        guard settings.watches.isWatched(id) else { return }
        ongoing.unseen.append(
            Sighting(
                revision: snapshot.revision, epoch: snapshot.epoch, state: snapshot.state,
                isEnd: snapshot.ending != nil))
    }
}

extension Input {
    /// The effect whose result it is.
    fileprivate var result: EffectID? {
        switch content {
        case .result(let id, _), .refused(let id, _), .timer(let id): id
        case .action, .message: nil
        }
    }
}
