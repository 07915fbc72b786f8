import Usher
import UsherJournal

/// What screens and effects of a session are called in a walk that does it again.
struct Translation {
    /// The first screen's id that each entry could give once, and now.
    private var screens = [(once: 1, now: 1)]
    /// The revision that each entry led to once, and now: an effect is called after the one that began it.
    private var revisions = [1: 1]

    /// Notes an entry that was done again.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - screen: The first screen's id that it could give now.
    ///   - revision: The revision that it led to now.
    mutating func add(_ entry: Entry, screen: Int, revision: Int) {
        screens.append((entry.before.screen, screen))
        revisions[entry.revision] = revision
    }

    /// The same input on the screens and effects of the walk.
    func callAsFunction(_ content: InputContent) -> InputContent {
        switch content {
        case .action(let action): .action(translated(action))
        case .result(let id, let outcome): .result(translated(id), outcome)
        case .timer(let id): .timer(translated(id))
        case .refused(let id, let reason): .refused(translated(id), reason: reason)
        case .message: content
        }
    }

    private func translated(_ action: InputAction) -> InputAction {
        switch action {
        case .event(let screen, let event): .event(screen: screen.map(translated), event: event)
        case .popped(let screen): .popped(translated(screen))
        case .dismissed(let screen): .dismissed(translated(screen))
        case .back, .select, .open: action
        }
    }

    private func translated(_ screen: Int) -> Int {
        guard let origin = screens.last(where: { $0.once <= screen }) else { return screen }
        return screen - origin.once + origin.now
    }

    private func translated(_ id: EffectID) -> EffectID {
        EffectID(revision: revisions[id.revision] ?? id.revision, index: id.index)
    }
}
