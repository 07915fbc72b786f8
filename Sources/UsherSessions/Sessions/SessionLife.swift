import Usher
import UsherJournal

/// What a session's lock guards: a state machine around the tree.
struct SessionLife {
    typealias Waiter = CheckedContinuation<SessionError?, Never>

    enum Phase {
        /// There is no tree; what a dropped one has left.
        indirect case cold(Succession?)
        /// One request builds the tree, outside the lock; these wait for it.
        case waking([Waiter])
        /// There is a tree.
        case live(Live)
        /// It has ended; whether that is kept the settlement tells.
        indirect case over(Settlement<Never>)
        /// It has left memory: whoever finds it has to look it up again.
        case retired
    }

    var phase: Phase
    /// What goes on beside the tree.
    let ongoing: Ongoing

    init(_ phase: Phase) {
        self.phase = phase
        if case .live(let live) = phase { ongoing = live.ongoing } else { ongoing = Ongoing() }
    }

    /// Lets a request look at the tree or change it.
    ///
    /// - Parameter body: What it does; its answer leaves once all that it shows is kept.
    mutating func take<Value>(_ body: (Live) -> Turn<Value>) -> Turn<Value> {
        switch standing() {
        case .cold, .waking: return .asleep
        case .retired: return .settled(Settlement(.failure(.retired), tail: nil, commit: nil))
        case .over(let ending): return .settled(ending.as())
        case .live(let live):
            let leakCount = live.tree.census.leaked
            let turn = body(live)
            switch turn {
            case .undone: phase = .cold(live.succession(leakCount: leakCount))
            case .settled, .known, .asleep: buryIfEnded(live)
            }
            return turn
        }
    }

    /// Looks at the tree, if there is one that shows what is kept.
    mutating func look<Value>(_ body: (Live) -> Value?) -> Value? {
        guard case .live(let live) = standing() else { return nil }
        return body(live)
    }

    /// The phase, after what was not kept has been dropped.
    private mutating func standing() -> Phase {
        switch phase {
        case .live(let live) where live.tail.isBroken:
            ongoing.dropUnkept()
            phase = .cold(live.succession())
        case .over(let ending) where ending.isUndone:
            ongoing.dropUnkept()
            phase = .cold(nil)
        default: break
        }
        return phase
    }

    /// Makes a session whose root has ended within its first input one that is over.
    mutating func bury() {
        if case .live(let live) = phase { buryIfEnded(live) }
    }

    /// Makes a session whose root has ended one that is over.
    mutating func buryIfEnded(_ live: Live) {
        guard let tombstone = Tombstone(live.head) else { return }
        phase = .over(live.settle(.failure(.ended(tombstone))))
    }

    /// Ends the session from outside.
    ///
    /// - Parameters:
    ///   - reason: Why it ends.
    ///   - id: The session.
    ///   - head: What the journal knows of it, for one that is not in memory; nil while that is not known.
    ///   - settings: What the session shares with others.
    /// - Returns: What did not leave memory.
    mutating func end(
        _ reason: Tombstone.Reason, of id: SessionID, head: SessionHeader?, settings: SessionSettings
    ) -> Turn<[Leak]> {
        let time = settings.clock.now()
        switch standing() {
        case .waking: return .asleep
        case .retired: return .settled(Settlement(.failure(.retired), tail: nil, commit: nil))
        case .over(let ending): return .settled(ending.as())
        case .live(let live):
            let leaks = live.tree.end()
            live.tally()
            live.head = live.head.ended(reason, at: time)
            live.submit(.end(live.head, answer: nil))
            buryIfEnded(live)
            return .settled(live.settle(.success(leaks), isChange: true))
        case .cold(let dropped):
            guard let head else { return .asleep }
            settings.tally.end(dropped?.tallied.live ?? 0)
            let change = JournalChange(.end(head.ended(reason, at: time), answer: nil), of: id.journalKey)
            let commit = settings.journal.submit(change)
            let error = SessionError.ended(Tombstone(reason: reason, time: time, app: head.app))
            phase = .over(Settlement(.failure(error), tail: change.tail, commit: commit))
            return .settled(Settlement(.success([]), isChange: true, tail: change.tail, commit: commit))
        }
    }
}
