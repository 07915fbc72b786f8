/// The kinds of problems with a `type` of their own, by which programs can distinguish them (RFC 9457 §3.1.1).
///
/// This list is complete; the contract is generated from it.
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
        // Not 503: a 503 means that nothing has happened, and a proxy may retry the request.
        case .outcomeUnknown: .gatewayTimeout
        }
    }

    /// A description of the kind for authors of clients.
    package var summary: String {
        switch self {
        case .malformedBody: "the body is not JSON, or not of the request's shape"
        case .malformedRequest: "a condition, a key or a parameter cannot be read"
        case .tokenNeeded: "a token is needed: the session's, the backend's key, or the operator's"
        case .wrongToken: "the token is another's, was revoked, or is for reading alone"
        case .backendNeeded: "an option, or a subject, that only the backend may set"
        case .foreignHost: "the Host is not the server's, nor allowed"
        case .foreignOrigin: "a page from elsewhere, which is not allowed, or a cookie at a change without Origin"
        case .unknownSession: "there is no such session"
        case .staleScreen: "the screen is covered, gone or never was; nothing is done"
        case .sessionEnded: "the session is over; how to start another stands in it"
        case .revisionMismatch: "If-Match does not hold; the state stands under current"
        case .otherBuildServes: "a server of another build serves the journal, too; nothing is done"
        case .unacceptableInput: "no such event, tab or flow, a payload that does not decode, or back is not possible"
        case .refused: "the app refuses it, in its own words"
        case .undrawableScreen: "it would lead to a screen that the client cannot draw; screen and version say to which"
        case .limitReached: "it would cross a limit of the session"
        case .unknownApp: "there is no such app"
        case .invalidOptions: "the app's options do not decode"
        case .keyReused: "the Idempotency-Key was used for another request"
        case .noRevision: "the session has no such revision, or this build cannot show it"
        case .unsupported: "the journal cannot do that"
        case .inputCrashes: "the input ended the process of this build; nothing is done"
        case .tooMuchFromAddress: "the client's address has opened, or sent, more than it may"
        case .handlerFailed: "a handler failed; the session is as it was before"
        case .serverFull: "there is no room for this now; it has not happened"
        case .journalUnavailable: "the journal cannot be used now; nothing has happened"
        case .sessionUnavailable: "this server cannot restore the session now; try again"
        case .sessionHeld: "this build must not serve the session, for the reason in held; do not retry, open another"
        case .inputUntried: "the input has to be tried in a process of its own, and cannot be now; nothing has happened"
        case .outcomeUnknown: "the input may have happened; look at the session, or repeat the key"
        }
    }
}
