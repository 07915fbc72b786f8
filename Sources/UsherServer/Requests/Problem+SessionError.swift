import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

extension Problem {
    init(_ error: SessionError, apps: [any App.Type]) {
        switch error {
        case .unknownApp(let name):
            let known = apps.map { $0.name }.sorted().joined(separator: ", ")
            self.init(.unknownApp, "there is no app \"\(name)\"; there are: \(known)")
        case .invalidOptions(let reason):
            self.init(.invalidOptions, reason)
        case .notOpened(let rejection):
            self.init(rejection.kind.problem, rejection.reason, members: rejection.members)
        case .full:
            self = .serverFull(
                "this server has reached its limit of sessions; end a session, or try again later", retryAfter: 10)
        case .noRoom:
            self = .serverFull(
                "this server is full, so the request had no effect; try again later", retryAfter: 2)
        case .cannotStart:
            self.init(.handlerFailed, "the app could not be started; no session was opened")
        case .notRecorded:
            self.init(
                .journalUnavailable, "the journal cannot store this now, so the request had no effect; try again",
                headers: ["Retry-After": "1"])
        case .outcomeUnknown:
            self.init(
                .outcomeUnknown,
                """
                the request may or may not have taken effect, because the journal did not confirm it; check the session, or \
                send the request again with the same Idempotency-Key
                """,
                headers: ["Retry-After": "1"])
        case .notRead, .retired:
            self.init(
                .journalUnavailable, "the journal cannot be read now, so the request had no effect; try again",
                headers: ["Retry-After": "1"])
        case .onHold(let reason):
            self.init(reason)
        case .servedElsewhere:
            self.init(
                .sessionUnavailable,
                """
                this server's build cannot continue the session, but a server of the build that wrote the session is running; \
                the request had no effect, try again
                """,
                headers: ["Retry-After": "1"])
        case .inputCrashes(let input, let current):
            self.init(input, current)
        case .notTried:
            self.init(
                .inputUntried,
                "this request must first run in a separate process, which cannot be started now; the request had no effect",
                headers: ["Retry-After": "1"])
        case .unknown:
            self.init(.unknownSession, "there is no such session; open one with POST /sessions")
        case .denied(let denial):
            self.init(denial)
        case .answerDenied:
            self.init(
                .wrongToken,
                """
                the input was accepted, but the session's token was replaced or revoked before the answer was sent; read the \
                session with the new token
                """,
                headers: ["Cache-Control": "no-store"])
        case .ended(let tombstone):
            self.init(tombstone)
        case .keyReused(let current):
            self.init(
                .keyReused, "this Idempotency-Key was used for another request; use a new key for each request",
                current: current)
        case .noRevision(let reason):
            self.init(.noRevision, reason)
        case .tooManyWatchers:
            self = .serverFull(
                "too many clients watch this session, or all sessions of this server; try again later", retryAfter: 10)
        case .unsupported(let reason):
            self.init(.unsupported, reason)
        case .preconditionFailed(let current):
            self.init(
                .revisionMismatch,
                "the session is at revision \(current.revision); decide again, with the state in \"current\"",
                current: current)
        case .rejected(let rejection, let current):
            self.init(rejection, current)
        }
    }

    init(_ denial: AccessDenial) {
        switch denial {
        case .tokenNeeded:
            self.init(
                .tokenNeeded,
                """
                a session needs its token: send Authorization: Bearer TOKEN with the token from POST /sessions, or the \
                session's cookie
                """,
                headers: ["WWW-Authenticate": "Bearer", "Cache-Control": "no-store"])
        case .wrongToken:
            self.init(
                .wrongToken,
                "this token gives no access to this session, or was revoked; open another session with POST /sessions",
                headers: ["Cache-Control": "no-store"])
        case .readsOnly:
            self.init(
                .wrongToken, "this token is read-only; use the token from POST /sessions",
                headers: ["Cache-Control": "no-store"])
        }
    }

    init(_ reason: HoldReason) {
        self.init(.sessionHeld, reason.detail, members: [("held", Array("\"\(reason.kind.rawValue)\"".utf8))])
        if case .replayCrashes(let revision, _) = reason {
            members.append(("revision", Array(String(revision).utf8)))
        }
    }

    private init(_ tombstone: Tombstone) {
        let when = WallTime.text(tombstone.time.milliseconds)
        let reason = tombstone.reason
        let verb = reason == .finished || reason == .expired ? reason.rawValue : "was \(reason.rawValue)"
        self.init(
            .sessionEnded,
            """
            the session \(verb) at \(when); open another with POST /sessions {"app":"\(tombstone.app)"}
            """,
            members: tombstone.members)
    }

    private init(_ input: GuiltyInput, _ current: Snapshot?) {
        self.init(
            .inputCrashes,
            """
            this input ended the server's process at \(WallTime.text(input.time)) (\(input.crash)), and is refused until a \
            new build of the app tries it again
            """, current: current)
    }

    private init(_ rejection: Rejection, _ current: Snapshot) {
        self.init(rejection.kind.problem, rejection.reason, current: current)
        members = rejection.members + members
    }

    /// Creates a problem with the session's current state, if the state is known: the client's own copy may be
    /// outdated.
    private init(_ kind: ProblemKind, _ detail: String, current: Snapshot?) {
        self.init(kind, detail)
        guard let current else { return }
        headers = ["ETag": EntityTag.text(current)]
        members = [("current", current.state)]
    }
}

extension Rejection.Kind {
    fileprivate var problem: ProblemKind {
        switch self {
        case .stale: .staleScreen
        case .invalid: .unacceptableInput
        case .refused: .refused
        case .undrawable: .undrawableScreen
        case .limit: .limitReached
        case .failed: .handlerFailed
        }
    }
}

extension Rejection {
    /// The members for programs: the code of a refusal, and the screen that the client cannot draw.
    fileprivate var members: [(name: String, json: [UInt8])] {
        var members: [(name: String, json: [UInt8])] = []
        if let code { members.append(("code", JSONWriter.bytes { $0.string(code) })) }
        if let undrawable {
            members.append(("screen", JSONWriter.bytes { $0.string(undrawable.name) }))
            members.append(("version", JSONWriter.bytes { $0.integer(undrawable.version) }))
        }
        return members
    }
}
