package import Usher
package import UsherJournal

/// Something about a session that an operator should know and that no request's answer tells.
package enum SessionEvent: Sendable {
    /// This build handles one of its inputs differently; it goes on from the one before.
    case diverged(SessionID, Divergence)
    /// This build cannot follow it, and its app has it end then.
    case endedByDivergence(SessionID, HoldReason)
    /// It was idle for too long, and has ended.
    case expired(SessionID)
    /// Coordinators that did not leave memory when its tree was given back.
    case leaked(SessionID, [Leak])
    /// This build must not serve it as its record stands; it alone is out of service.
    case held(SessionID, HoldReason)
    /// An effect failed for a reason that its coordinator is not told.
    case effectFailed(SessionID, name: String, cause: String)
    /// A coordinator failed at the result of an effect; the result was refused.
    case effectRefused(SessionID, cause: String)
    /// The result of an effect or a timer could not be made durable now; it is handed in again.
    case effectPostponed(SessionID, cause: String)
    /// An input has ended a process, or a session's replay did; it is refused until a new build.
    case guilty(GuiltyInput)
    /// The time of day has jumped by so many milliseconds: nothing ends for its age for an hour.
    case clockJumped(milliseconds: Int64)
    /// This server's clock is ahead of that of the journal by so many milliseconds: this server expires nothing.
    case clockWrong(milliseconds: Int64)
    /// An input was in flight when the process before this one died, and runs isolated before it is handled again; or an
    /// effect was, which is begun once more.
    case suspected(GuiltyInput)
    /// The journal could not be swept: timers, expiry and purging come with the next sweep.
    case postponed(cause: String)
    /// Another server that shares the journal runs under this one's name.
    case displaced(cause: String)
}

/// Something that an operator should know, by its kind.
enum Incident: Int, CaseIterable {
    /// This build handles an input differently.
    case diverged
    /// Coordinators stayed in memory when their session hibernated.
    case leaked
    /// This build must not serve a session.
    case held
    /// An effect failed for a reason that its coordinator is not told.
    case effect
    /// A coordinator failed at the result of an effect.
    case result
    /// The result of an effect or a sweep could not be done now.
    case postponed
    /// An input has ended a process.
    case guilty
    /// An input was in flight when a process died, maybe for no fault of its own.
    case crash

    /// The kind of an event; nil for one that is no trouble.
    init?(_ event: SessionEvent) {
        switch event {
        case .diverged, .endedByDivergence: self = .diverged
        case .leaked: self = .leaked
        case .held: self = .held
        case .effectFailed: self = .effect
        case .effectRefused: self = .result
        case .postponed, .effectPostponed: self = .postponed
        case .guilty: self = .guilty
        case .suspected: self = .crash
        case .expired, .clockJumped, .clockWrong, .displaced: return nil
        }
    }
}
