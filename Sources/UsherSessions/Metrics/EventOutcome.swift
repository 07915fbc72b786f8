import Usher

/// The outcome of an input of a user's or a backend's.
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
    /// The journal could not be written or read, or the session could not be restored.
    case unavailable
}

extension EventOutcome {
    /// The outcome of an input that led to an error; nil where it is tried again.
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

/// A step in a session's life, its inputs apart.
enum LifeStep: Int, CaseIterable {
    /// It was opened.
    case opened
    /// Its tree was built again from the journal.
    case woken
    /// It gave its tree back.
    case hibernated
    /// Its root coordinator finished.
    case finished
    /// Its root coordinator gave up.
    case cancelled
    /// A client deleted it.
    case deleted
    /// Nobody used it for too long.
    case expired

    /// The steps that end a session.
    static let endings: [LifeStep] = [.finished, .cancelled, .deleted, .expired]

    /// The end for a reason.
    init(_ reason: Tombstone.Reason) {
        switch reason {
        case .finished: self = .finished
        case .cancelled: self = .cancelled
        case .deleted: self = .deleted
        case .expired: self = .expired
        }
    }
}

/// The outcome of an effect.
enum EffectEnd: Int, CaseIterable {
    /// It gave a value.
    case succeeded
    /// It failed.
    case failed
    /// It took too long.
    case timeout
    /// Its coordinator finished or its screen left, or the session ended.
    case cancelled

    /// The end with an outcome.
    init(_ outcome: EffectOutcome) {
        switch outcome {
        case .success: self = .succeeded
        case .failure(let failure): self = failure.code == EffectFailure.timeout.code ? .timeout : .failed
        }
    }
}
