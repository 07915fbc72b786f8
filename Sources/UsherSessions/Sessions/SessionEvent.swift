package import Usher

/// Something about a session that an operator should know and that no request's answer tells.
package enum SessionEvent: Sendable {
    /// This build handles one of its inputs differently; it goes on from the one before.
    case diverged(SessionID, Divergence)
    /// It was idle for too long, and has ended.
    case expired(SessionID)
    /// Coordinators that did not leave memory when its tree was given back.
    case leaked(SessionID, [Leak])
    /// Its record cannot be read, or this build cannot begin it; it alone is out of service.
    case unavailable(SessionID, cause: String)
    /// An effect failed for a reason that its coordinator is not told.
    case effectFailed(SessionID, name: String, cause: String)
    /// A coordinator failed at the result of an effect; the result was refused.
    case effectRefused(SessionID, cause: String)
    /// Work on timers could not be done now; it is tried again.
    case postponed(cause: String)
}
