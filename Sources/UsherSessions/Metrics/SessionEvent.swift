package import Usher
package import UsherJournal

/// An event that an operator should know, and that no answer to a request reports.
package enum SessionEvent: Sendable {
    /// This build handles an input differently, so the session resumed at an earlier revision.
    case diverged(SessionID, Divergence)
    /// This build cannot replay the session, and the app chooses to end sessions in this case.
    case endedByDivergence(SessionID, HoldReason)
    /// The session ended because it was not used for too long.
    case expired(SessionID)
    /// Coordinators or view models stayed in memory after the session's tree was released.
    case leaked(SessionID, [Leak])
    /// This build must not serve the session as recorded; other sessions are not affected.
    case held(SessionID, HoldReason)
    /// An effect failed for a reason that its coordinator does not receive.
    case effectFailed(SessionID, name: String, cause: String)
    /// A coordinator failed to handle an effect's result, which was therefore rejected.
    case effectRefused(SessionID, cause: String)
    /// The result of an effect or a timer could not be made durable, and will be submitted again.
    case effectPostponed(SessionID, cause: String)
    /// An input or a session's replay crashed a process. From now on, this build refuses that input or replay.
    case guilty(GuiltyInput)
    /// The time of day jumped by this many milliseconds, so no session expires for an hour.
    case clockJumped(milliseconds: Int64)
    /// This server's clock is this many milliseconds ahead of the journal's, so this server expires no session.
    case clockWrong(milliseconds: Int64)
    /// An input or effect was running when the previous process died.
    ///
    /// The server runs the input isolated before handling the input again. An effect starts once more.
    case suspected(GuiltyInput)
    /// The periodic work on the journal (timers, expiry, deletion of ended sessions) failed and waits for the next run.
    case postponed(cause: String)
    /// Another server that shares the journal runs under the same name.
    case displaced(cause: String)
}

/// The kinds of events that the metrics count as incidents.
enum Incident: Int, CaseIterable {
    case diverged
    case leaked
    case held
    case effect
    case result
    case postponed
    case guilty
    /// An input was running when a process died, possibly without being the cause.
    case crash

    /// Creates the kind of an event; `nil` for an event that the metrics do not count as an incident.
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
