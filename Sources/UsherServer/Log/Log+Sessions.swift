import Usher
import UsherSessions

extension Log {
    /// Tells of coordinators that are still in memory although they have left.
    func write(_ leaks: [Leak], in session: SessionID) {
        for leak in leaks {
            write(
                .warning, "coordinator leaked",
                [
                    "session": "\(session)", "type": leak.type, "coordinator": leak.coordinator,
                    "revision": "\(leak.revision)",
                ])
        }
    }

    /// Tells what the client of a session is not told.
    func write(_ error: SessionError, in session: SessionID) {
        switch error {
        case .rejected(let rejection, _) where rejection.kind == .failed:
            write("handler failed", rejection.cause ?? rejection.reason, in: session)
        case .notRecorded(let cause): write("input not recorded", cause, in: session)
        case .notRead(let cause): write("journal not read", cause, in: session)
        default: break
        }
    }

    /// Tells what the client that would open a session is not told.
    func write(_ error: SessionError, app: String) {
        switch error {
        case .cannotStart(let cause): write(.error, "app could not start", ["app": app, "cause": cause])
        case .notRecorded(let cause): write(.error, "session not recorded", ["app": app, "cause": cause])
        case .notRead(let cause): write(.error, "journal not read", ["app": app, "cause": cause])
        default: break
        }
    }

    /// Tells what no request's answer tells.
    func write(_ event: SessionEvent) {
        switch event {
        case .diverged(let session, let divergence): write("session diverged", "\(divergence)", in: session)
        case .expired(let session): write(.info, "session expired", ["session": "\(session)"])
        case .leaked(let session, let leaks): write(leaks, in: session)
        case .unavailable(let session, let cause): write("session unavailable", cause, in: session)
        case .effectFailed(let session, let name, let cause):
            write(.error, "effect failed", ["session": "\(session)", "effect": name, "cause": cause])
        case .effectRefused(let session, let cause): write("result refused", cause, in: session)
        case .effectPostponed(let session, let cause): write("result postponed", cause, in: session)
        case .postponed(let cause): write(.error, "expiry postponed", ["cause": cause])
        }
    }

    private func write(_ message: String, _ cause: String, in session: SessionID) {
        write(.error, message, ["session": "\(session)", "cause": cause])
    }
}
