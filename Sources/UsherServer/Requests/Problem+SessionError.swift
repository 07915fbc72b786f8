import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// The `type` of a problem that speaks of sessions, apps or who asks, by which programs tell it from others (RFC 9457,
/// section 3.1.1).
enum ProblemType {
    static let malformedBody = "urn:usher:problem:malformed-body"
    static let malformedRequest = "urn:usher:problem:malformed-request"
    static let tokenNeeded = "urn:usher:problem:token-needed"
    static let wrongToken = "urn:usher:problem:wrong-token"
    static let foreignHost = "urn:usher:problem:foreign-host"
    static let foreignOrigin = "urn:usher:problem:foreign-origin"
    static let unknownSession = "urn:usher:problem:unknown-session"
    static let staleScreen = "urn:usher:problem:stale-screen"
    static let sessionEnded = "urn:usher:problem:session-ended"
    static let revisionMismatch = "urn:usher:problem:revision-mismatch"
    static let unacceptableInput = "urn:usher:problem:unacceptable-input"
    static let refused = "urn:usher:problem:refused"
    static let limitReached = "urn:usher:problem:limit-reached"
    static let handlerFailed = "urn:usher:problem:handler-failed"
    static let unknownApp = "urn:usher:problem:unknown-app"
    static let invalidOptions = "urn:usher:problem:invalid-options"
    static let outcomeUnknown = "urn:usher:problem:outcome-unknown"
    static let journalUnavailable = "urn:usher:problem:journal-unavailable"
    static let sessionUnavailable = "urn:usher:problem:session-unavailable"
    static let inputCrashes = "urn:usher:problem:input-crashes"
    static let inputUntried = "urn:usher:problem:input-untried"
    static let keyReused = "urn:usher:problem:key-reused"
    static let noRevision = "urn:usher:problem:no-revision"
    static let unsupported = "urn:usher:problem:unsupported"
}

extension Problem {
    /// The answer to a request on a session that did nothing.
    init(_ error: SessionError, apps: [any App.Type]) {
        switch error {
        case .unknownApp(let name):
            let known = apps.map { $0.name }.sorted().joined(separator: ", ")
            self.init(
                .unprocessableContent, "there is no app \"\(name)\"; there are: \(known)", type: ProblemType.unknownApp)
        case .invalidOptions(let reason):
            self.init(.unprocessableContent, reason, type: ProblemType.invalidOptions)
        case .notOpened(let rejection):
            let (status, type) = Self.kind(of: rejection)
            self.init(status, rejection.reason, type: type, members: rejection.members)
        case .full:
            self = .serverFull(
                "this server holds as many sessions as it may; end one, or try again later", retryAfter: 10)
        case .noRoom:
            self = .serverFull(
                "this server has no room left for this now, so nothing was done; try again later", retryAfter: 2)
        case .cannotStart:
            self.init(
                .internalServerError, "the app could not be started; no session was opened",
                type: ProblemType.handlerFailed)
        case .notRecorded:
            self.init(
                .serviceUnavailable, "the journal cannot take this now, so it has not happened; try again",
                type: ProblemType.journalUnavailable, headers: ["Retry-After": "1"])
        case .outcomeUnknown:
            self.init(
                .serviceUnavailable,
                """
                this may have happened or not, for the journal did not say; look at the session, or send the request again \
                with the same Idempotency-Key
                """,
                type: ProblemType.outcomeUnknown, headers: ["Retry-After": "1"])
        case .notRead, .retired:
            self.init(
                .serviceUnavailable, "the journal cannot be read now; nothing has happened, try again",
                type: ProblemType.journalUnavailable, headers: ["Retry-After": "1"])
        case .notRestored:
            self.init(
                .serviceUnavailable,
                "this session cannot be restored by this server; its operator has been told, open another meanwhile",
                type: ProblemType.sessionUnavailable, headers: ["Retry-After": "60"])
        case .outdated:
            self.init(
                .serviceUnavailable,
                "this server's build cannot follow the session, which a newer one goes on with; try again",
                type: ProblemType.sessionUnavailable, headers: ["Retry-After": "1"])
        case .replayCrashes(let input):
            let revision = String(input.identity.revision)
            self.init(
                .serviceUnavailable,
                """
                this session cannot be restored by this server, which it ends at revision \(revision); its operator can \
                take it back to an earlier one, open another meanwhile
                """,
                type: ProblemType.sessionUnavailable, headers: ["Retry-After": "60"],
                members: [("revision", Array(revision.utf8))])
        case .inputCrashes(let input, let current):
            self.init(input, current)
        case .notTried:
            self.init(
                .serviceUnavailable,
                "others like this ended the server's process, and it cannot be tried first now; nothing has happened",
                type: ProblemType.inputUntried, headers: ["Retry-After": "1"])
        case .held:
            self.init(
                .serviceUnavailable,
                "the server has died with this in hand, and tries it in a process of its own; ask again",
                type: ProblemType.sessionUnavailable, headers: ["Retry-After": "5"])
        case .unknown:
            self.init(
                .notFound, "there is no such session; open one with POST /sessions", type: ProblemType.unknownSession)
        case .ended(let tombstone):
            self.init(tombstone)
        case .keyReused(let current):
            let detail = "this Idempotency-Key was used for another request; use a new key for each request"
            if let current {
                self.init(.unprocessableContent, detail, type: ProblemType.keyReused, current: current)
            } else {
                self.init(.unprocessableContent, detail, type: ProblemType.keyReused)
            }
        case .noRevision(let reason):
            self.init(.unprocessableContent, reason, type: ProblemType.noRevision)
        case .tooManyWatchers:
            self = .serverFull("as many clients watch this server as may; try again later", retryAfter: 10)
        case .unsupported(let reason):
            self.init(.unprocessableContent, reason, type: ProblemType.unsupported)
        case .preconditionFailed(let current):
            self.init(
                .preconditionFailed,
                "the session is at revision \(current.revision); look at \"current\" and decide anew",
                type: ProblemType.revisionMismatch, current: current)
        case .rejected(let rejection, let current):
            self.init(rejection, current)
        }
    }

    private init(_ tombstone: Tombstone) {
        let when = WallTime.text(tombstone.time.milliseconds)
        self.init(
            .gone,
            """
            the session \(tombstone.reason == .expired ? "has" : "was") \(tombstone.reason.rawValue) at \(when); open another with POST /sessions \
            {"app":"\(tombstone.app)"}
            """,
            type: ProblemType.sessionEnded, members: tombstone.members)
    }

    private init(_ input: GuiltyInput, _ current: Snapshot?) {
        let detail = """
            this input ended the server's process at \(WallTime.text(input.time)) (\(input.crash)), and is refused; a new \
            build of the app tries it again
            """
        guard let current else {
            self.init(.unprocessableContent, detail, type: ProblemType.inputCrashes)
            return
        }
        self.init(.unprocessableContent, detail, type: ProblemType.inputCrashes, current: current)
    }

    private init(_ rejection: Rejection, _ current: Snapshot) {
        let (status, type) = Self.kind(of: rejection)
        self.init(status, rejection.reason, type: type, current: current)
        members = rejection.members + members
    }

    private static func kind(of rejection: Rejection) -> (status: Status, type: String) {
        switch rejection.kind {
        case .stale: (.conflict, ProblemType.staleScreen)
        case .invalid: (.unprocessableContent, ProblemType.unacceptableInput)
        case .refused: (.unprocessableContent, ProblemType.refused)
        case .limit: (.unprocessableContent, ProblemType.limitReached)
        case .failed: (.internalServerError, ProblemType.handlerFailed)
        }
    }

    /// A problem that tells the client where the session stands, for it may have moved already.
    private init(_ status: Status, _ detail: String, type: String, current: Snapshot) {
        self.init(
            status, detail, type: type, headers: ["ETag": EntityTag.text(current)],
            members: [("current", current.state)])
    }
}

extension Rejection {
    /// The members by which a program tells refusals apart.
    fileprivate var members: [(name: String, json: [UInt8])] {
        guard let code else { return [] }
        var writer = JSONWriter()
        writer.string(code)
        return [("code", writer.bytes)]
    }
}
