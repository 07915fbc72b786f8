/// The kinds of problems that have their own `type`, by which programs distinguish the kinds (RFC 9457 §3.1.1); the
/// contract is generated from the list.
package enum ProblemKind: String, CaseIterable, Sendable {
    case malformedBody = "malformed-body"
    case malformedRequest = "malformed-request"
    case tokenNeeded = "token-needed"
    case wrongToken = "wrong-token"
    case backendNeeded = "backend-needed"
    case foreignHost = "foreign-host"
    case foreignOrigin = "foreign-origin"
    case unknownSession = "unknown-session"
    case staleScreen = "stale-screen"
    case sessionEnded = "session-ended"
    case revisionMismatch = "revision-mismatch"
    case otherBuildServes = "other-build-serves"
    case unacceptableInput = "unacceptable-input"
    case refused
    case undrawableScreen = "undrawable-screen"
    case limitReached = "limit-reached"
    case unknownApp = "unknown-app"
    case invalidOptions = "invalid-options"
    case keyReused = "key-reused"
    case noRevision = "no-revision"
    case unsupported
    case inputCrashes = "input-crashes"
    case tooMuchFromAddress = "too-much-from-address"
    case handlerFailed = "handler-failed"
    case serverFull = "server-full"
    case journalUnavailable = "journal-unavailable"
    case sessionUnavailable = "session-unavailable"
    case sessionHeld = "session-held"
    case inputUntried = "input-untried"
    case outcomeUnknown = "outcome-unknown"

    /// The URI of the problem's `type` member.
    package var type: String { "urn:usher:problem:" + rawValue }

    /// The status of every response of this kind.
    package var status: Status {
        switch self {
        case .malformedBody, .malformedRequest: .badRequest
        case .tokenNeeded: .unauthorized
        case .wrongToken, .backendNeeded, .foreignHost, .foreignOrigin: .forbidden
        case .unknownSession: .notFound
        case .staleScreen, .otherBuildServes: .conflict
        case .sessionEnded: .gone
        case .revisionMismatch: .preconditionFailed
        case .unacceptableInput, .refused, .undrawableScreen, .limitReached, .unknownApp, .invalidOptions, .keyReused,
            .noRevision,
            .unsupported, .inputCrashes:
            .unprocessableContent
        case .tooMuchFromAddress: .tooManyRequests
        case .handlerFailed: .internalServerError
        case .serverFull, .journalUnavailable, .sessionUnavailable, .sessionHeld, .inputUntried:
            .serviceUnavailable
        // Not 503: a 503 means that the request changed nothing, so a proxy may repeat the request.
        case .outcomeUnknown: .gatewayTimeout
        }
    }

    /// A description of the kind for authors of clients.
    package var summary: String {
        switch self {
        case .malformedBody: "the body is not JSON, or does not match the request's schema"
        case .malformedRequest: "a conditional header, an Idempotency-Key or a parameter is malformed"
        case .tokenNeeded: "a token is missing: the session's token, the backend's key, or the operator's token"
        case .wrongToken: "the token is wrong, was revoked, or is read-only"
        case .backendNeeded: "only the backend may set the subject or the option"
        case .foreignHost: "the Host is neither the server's own nor an allowed one"
        case .foreignOrigin: "the Origin is not allowed, or is missing from a request that makes a change with a cookie"
        case .unknownSession: "there is no such session"
        case .staleScreen: "the screen is covered, was removed, or never existed; the input had no effect"
        case .sessionEnded: "the session has ended; `start` shows how to open another"
        case .revisionMismatch: "If-Match does not name the current revision; `current` is the current state"
        case .otherBuildServes: "a server of another build also serves the journal; the request had no effect"
        case .unacceptableInput:
            "the event, tab or flow does not exist, the payload cannot be decoded, or the user cannot go back"
        case .refused: "the app refused the input; `detail` is the app's reason"
        case .undrawableScreen: "the input would show a screen that the client cannot draw; see `screen` and `version`"
        case .limitReached: "the input would exceed a limit of the session"
        case .unknownApp: "there is no such app"
        case .invalidOptions: "the app's options cannot be decoded"
        case .keyReused: "the Idempotency-Key was used for another request"
        case .noRevision: "the session has no such revision, or this build cannot show the revision"
        case .unsupported: "the journal does not support this operation"
        case .inputCrashes: "the input would crash this build, so the input had no effect"
        case .tooMuchFromAddress: "the client's address has exceeded a limit"
        case .handlerFailed: "a handler failed; the session is unchanged"
        case .serverFull: "the server is full; the request had no effect"
        case .journalUnavailable: "the server cannot use its journal now; the request had no effect"
        case .sessionUnavailable: "this server cannot restore the session now; try again"
        case .sessionHeld:
            "this build must not serve the session, for the reason in `held`; do not retry, but open another session"
        case .inputUntried:
            "the input must first run in a separate process, which is not possible now; the input had no effect"
        case .outcomeUnknown:
            "the input may have taken effect; check the session, or repeat the request with its Idempotency-Key"
        }
    }
}
