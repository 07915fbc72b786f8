/// Something that an operator should know, by its kind.
enum Incident: Int, CaseIterable {
    /// This build handles an input differently.
    case diverged
    /// Coordinators stayed in memory when their session hibernated.
    case leaked
    /// A session cannot be restored.
    case unavailable
    /// An effect failed for a reason that its coordinator is not told.
    case effect
    /// A coordinator failed at the result of an effect.
    case result
    /// Work on timers could not be done now.
    case postponed

    /// The kind of an event; nil for one that is no trouble.
    init?(_ event: SessionEvent) {
        switch event {
        case .diverged: self = .diverged
        case .leaked: self = .leaked
        case .unavailable: self = .unavailable
        case .effectFailed: self = .effect
        case .effectRefused: self = .result
        case .postponed: self = .postponed
        case .expired: return nil
        }
    }
}
