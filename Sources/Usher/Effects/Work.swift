/// Work that a session has to do for its tree: it is begun after the commit of the input that asked for it, and what
/// comes of it is an input.
public struct Work: Sendable {
    /// What is to be done.
    public enum Kind: Sendable {
        /// Something to run, with what the app's `services()` made, and under a name that stays the same when it runs
        /// again.
        case effect(run: @Sendable (_ services: any Sendable, _ id: String) async -> EffectOutcome)
        /// A moment to wait for.
        case timer(due: Timestamp)
    }

    /// Its name within the session.
    public let id: EffectID
    /// The effect's name; `timer` for a timer.
    public let name: String
    /// What is to be done.
    public let kind: Kind
}

extension Work {
    /// When a timer comes due; nil for an effect.
    public var due: Timestamp? {
        guard case .timer(let due) = kind else { return nil }
        return due
    }
}
