package import Usher
import UsherJSON
package import UsherJournal

/// The reason why a request on a session did nothing.
///
/// Large payloads are indirect: most results are not errors, but take the space of the largest error wherever they are
/// passed on.
package enum SessionError: Error, Sendable {
    /// No app has this name.
    case unknownApp(String)
    /// The app cannot decode the options.
    case invalidOptions(String)
    /// The app refuses to open, its deep link cannot be followed, or opening it would exceed a limit.
    indirect case notOpened(Rejection)
    /// The server holds its maximum number of sessions.
    case full
    /// The server has no memory for this kind of work now.
    case noRoom
    /// The app could not start; the cause is for the log.
    case cannotStart(cause: String)
    /// The journal rejected the change, so the input did not happen; the cause is for the log.
    case notRecorded(cause: String)
    /// The journal failed in a way that leaves open whether the input happened; the cause is for the log.
    case outcomeUnknown(cause: String)
    /// The journal cannot be read now; the cause is for the log.
    case notRead(cause: String)
    /// This build must not serve the session.
    indirect case onHold(HoldReason)
    /// This build would serve the session differently than the build that wrote it, which is still running.
    case servedElsewhere
    /// The input crashed this build's process before; `current` is `nil` if the input would open a session.
    indirect case inputCrashes(GuiltyInput, current: Snapshot?)
    /// The input must first run isolated, which is impossible now; the cause is for the log.
    case notTried(cause: String)
    /// The session does not exist.
    case unknown
    /// The request's token does not open the session.
    case denied(AccessDenial)
    /// The input happened, but its token was replaced or revoked before the answer was sent.
    case answerDenied
    /// The session has ended.
    indirect case ended(Tombstone)
    /// The session is at another revision than the request requires.
    indirect case preconditionFailed(current: Snapshot)
    /// The input was rejected and did not change the session.
    indirect case rejected(Rejection, current: Snapshot)
    /// The idempotency key belongs to another request; `current` is `nil` if the session has ended or is not open yet.
    indirect case keyReused(current: Snapshot?)
    /// The session has no such revision, or this build cannot show it; a sentence for the operator.
    case noRevision(String)
    /// The journal does not support the operation; a sentence for the operator.
    case unsupported(String)
    /// The number of watchers is at its limit; the client may retry later.
    case tooManyWatchers
    /// The session left memory in the meantime and must be looked up again.
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

    /// Creates the error for a journal that cannot be read.
    init(reading error: JournalError) {
        switch error {
        case .corrupt, .conflict: self = .onHold(.recordDamaged(cause: "\(error)"))
        case .unavailable(let reason), .outcomeUnknown(let reason): self = .notRead(cause: reason)
        case .unsupported(let reason): self = .unsupported(reason)
        }
    }

    /// A Boolean value that indicates whether this build cannot build the session's tree.
    var isUnrestorable: Bool {
        switch self {
        case .onHold, .servedElsewhere: true
        default: false
        }
    }

    /// Creates the error for a change that the journal did not accept.
    init(writing error: JournalError) {
        if case .outcomeUnknown(let reason) = error {
            self = .outcomeUnknown(cause: reason)
        } else {
            self = .notRecorded(cause: "\(error)")
        }
    }

    /// The same failure for a request whose input happened, so that the client is not told that it did not happen.
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

    /// The same failure for a request with an idempotency key whose first answer could not be read.
    var withoutLookup: SessionError {
        guard case .notRead(let cause) = self else { return self }
        return .outcomeUnknown(cause: cause)
    }
}

extension SessionError {
    /// The session's unchanged state, if the refusal reports it.
    package var current: Snapshot? {
        switch self {
        case .rejected(_, let current), .preconditionFailed(let current): current
        case .inputCrashes(_, let current), .keyReused(let current): current
        default: nil
        }
    }
}
