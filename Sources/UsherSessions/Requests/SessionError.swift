package import Usher
import UsherJSON
package import UsherJournal

/// The reason why a request on a session had no effect.
///
/// Large payloads are `indirect`, because otherwise every result would reserve space for the largest payload.
package enum SessionError: Error, Sendable {
    /// No app has this name.
    case unknownApp(String)
    case invalidOptions(String)
    /// The app refuses to open, its deep link cannot be followed, or the opening would exceed a limit.
    indirect case notOpened(Rejection)
    /// The server has reached its maximum number of sessions.
    case full
    /// The server has no memory for this kind of work now.
    case noRoom
    /// The app could not start. The cause is only for the log.
    case cannotStart(cause: String)
    /// The journal rejected the change, so the input had no effect; the cause is for the log.
    case notRecorded(cause: String)
    /// The journal failed, and it is unknown whether the input had an effect; the cause is for the log.
    case outcomeUnknown(cause: String)
    /// The journal cannot be read now; the cause is for the log.
    case notRead(cause: String)
    /// This build must not serve the session.
    indirect case onHold(HoldReason)
    /// A server of the build that wrote the session is running, and this build would serve the session differently.
    case servedElsewhere
    /// The input crashed this build before; `current` is `nil` for the opening of a session.
    indirect case inputCrashes(GuiltyInput, current: Snapshot?)
    /// The input must first run isolated, which is not possible now; the cause is for the log.
    case notTried(cause: String)
    case unknown
    /// The request's token does not permit the request.
    case denied(AccessDenial)
    /// The input had its effect, but the request's token was replaced or revoked before the answer was sent.
    case answerDenied
    indirect case ended(Tombstone)
    /// The session is not at the revision that the request requires.
    indirect case preconditionFailed(current: Snapshot)
    /// The input was rejected and did not change the session.
    indirect case rejected(Rejection, current: Snapshot)
    /// The idempotency key belongs to another request; `current` is `nil` if the session has ended or is not open yet.
    indirect case keyReused(current: Snapshot?)
    /// The session has no such revision, or this build cannot show it; a sentence for the operator.
    case noRevision(String)
    /// The journal does not support the operation; a sentence for the operator.
    case unsupported(String)
    /// The number of watchers has reached its limit; the client may retry later.
    case tooManyWatchers
    /// The session has left memory, and the caller must find it again.
    case retired
}

extension SessionError {
    /// Creates the client's error for a failure to build a session's first tree.
    init(opening app: String, _ error: any Error) {
        switch error {
        case let error as JSONError: self = .invalidOptions("the options of \"\(app)\": \(error)")
        case let refusal as Refusal: self = .notOpened(Rejection(.refused, refusal.reason, code: refusal.code))
        case let rejection as Rejection where rejection.kind != .failed: self = .notOpened(rejection)
        case let rejection as Rejection: self = .cannotStart(cause: rejection.cause ?? rejection.reason)
        default: self = .cannotStart(cause: "\(error)")
        }
    }

    init(reading error: JournalError) {
        switch error {
        case .corrupt, .conflict: self = .onHold(.recordDamaged(cause: "\(error)"))
        case .unavailable(let reason), .outcomeUnknown(let reason): self = .notRead(cause: reason)
        case .unsupported(let reason): self = .unsupported(reason)
        }
    }

    var isUnrestorable: Bool {
        switch self {
        case .onHold, .servedElsewhere: true
        default: false
        }
    }

    init(writing error: JournalError) {
        if case .outcomeUnknown(let reason) = error {
            self = .outcomeUnknown(cause: reason)
        } else {
            self = .notRecorded(cause: "\(error)")
        }
    }

    /// The failure as an error that does not claim that the input had no effect, because the input took effect.
    var asUnknownOutcome: SessionError {
        switch self {
        case .notRecorded(let cause), .notRead(let cause): .outcomeUnknown(cause: cause)
        case .onHold(let reason): .outcomeUnknown(cause: reason.cause)
        case .retired: .outcomeUnknown(cause: "the session left memory before the answer was ready")
        case .full, .noRoom, .servedElsewhere, .notTried:
            .outcomeUnknown(cause: "the session could not be restored for the answer: \(self)")
        case .denied: .answerDenied
        default: self
        }
    }

    /// The same failure for a request whose first answer, stored under its idempotency key, could not be read.
    var withoutLookup: SessionError {
        guard case .notRead(let cause) = self else { return self }
        return .outcomeUnknown(cause: cause)
    }
}

extension SessionError {
    /// The session's unchanged state, if the error contains the state.
    package var current: Snapshot? {
        switch self {
        case .rejected(_, let current), .preconditionFailed(let current): current
        case .inputCrashes(_, let current), .keyReused(let current): current
        default: nil
        }
    }
}
