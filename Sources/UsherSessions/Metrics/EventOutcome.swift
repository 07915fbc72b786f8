import Usher

/// What became of what a user did, or a backend told.
enum EventOutcome: Int, CaseIterable {
    /// It counted: there is a new revision.
    case accepted
    /// It was known already: a screen that had left was reported to have left.
    case repeated
    /// The first answer to its idempotency key was given again.
    case replayed
    /// Its screen is covered, gone, or was never there.
    case stale
    /// There is no such event, or its payload does not decode.
    case invalid
    /// The app refused it.
    case refused
    /// It would have crossed a limit.
    case limit
    /// A handler failed.
    case failed
    /// The session was at another revision than it asked for.
    case precondition
    /// Its idempotency key was another request's.
    case reused
    /// The session was over.
    case ended
    /// There was no such session.
    case unknown
    /// The journal could not keep or read it, or the session could not be restored.
    case unavailable
}

extension EventOutcome {
    /// What became of what led to an error; nil where it is tried again.
    init?(_ error: SessionError) {
        switch error {
        case .rejected(let rejection, _), .notOpened(let rejection): self.init(rejection)
        case .preconditionFailed: self = .precondition
        case .keyReused: self = .reused
        case .ended: self = .ended
        case .unknown: self = .unknown
        case .retired: return nil
        case .notRecorded, .notRead, .notRestored, .full, .tooManyWatchers: self = .unavailable
        case .unknownApp, .invalidOptions, .noRevision, .unsupported: self = .invalid
        case .cannotStart: self = .failed
        }
    }

    private init(_ rejection: Rejection) {
        switch rejection.kind {
        case .stale: self = .stale
        case .invalid: self = .invalid
        case .refused: self = .refused
        case .limit: self = .limit
        case .failed: self = .failed
        }
    }
}
