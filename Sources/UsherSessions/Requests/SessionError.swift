package import Usher
import UsherJSON
package import UsherJournal

/// Why a request on a session did nothing.
///
/// Large payloads are indirect: most results are no errors, and are passed on with the room that an error would take.
package enum SessionError: Error, Sendable {
    /// No app has this name.
    case unknownApp(String)
    /// The options do not decode.
    case invalidOptions(String)
    /// The app refuses to be opened like this, its link cannot be followed, or it would cross a limit.
    indirect case notOpened(Rejection)
    /// The server holds as many sessions as it may.
    case full
    /// The server has no room left for this kind of work now.
    case noRoom
    /// The app could not start; the cause is for the log.
    case cannotStart(cause: String)
    /// The journal did not take the input, so it has not happened; the cause is for the log.
    case notRecorded(cause: String)
    /// The input may have happened: the journal could not say, or not tell the answer; the cause is for the log.
    case outcomeUnknown(cause: String)
    /// The journal cannot be read now; the cause is for the log.
    case notRead(cause: String)
    /// This build must not serve the session.
    indirect case onHold(HoldReason)
    /// This build would serve the session differently than the build that wrote it, which is still running.
    case servedElsewhere
    /// The input ended the process of this build before; without a state where it would open a session.
    indirect case inputCrashes(GuiltyInput, current: Snapshot?)
    /// The input has to run isolated first, and cannot now; the cause is for the log.
    case notTried(cause: String)
    /// There is no such session.
    case unknown
    /// The session is another's.
    case denied(AccessDenial)
    /// The input has happened, and its token was replaced or revoked before its answer left.
    case answerDenied
    /// The session is over.
    indirect case ended(Tombstone)
    /// The session is at another revision than the request asks for.
    indirect case preconditionFailed(current: Snapshot)
    /// The input did not count.
    indirect case rejected(Rejection, current: Snapshot)
    /// The idempotency key was used for another request; where the session stands, unless it is over or not there yet.
    indirect case keyReused(current: Snapshot?)
    /// The session has no such revision, or this build cannot show it; one sentence for the operator.
    case noRevision(String)
    /// The journal cannot do that at all; one sentence for the operator.
    case unsupported(String)
    /// As many watch as may; the client may ask again later.
    case tooManyWatchers
    /// The session has left memory meanwhile: it has to be looked up again.
    case retired
}

extension SessionError {
    /// The meaning for the client of a failure to build a session's first tree.
    init(opening app: String, _ error: any Error) {
        switch error {
        case let error as JSONError: self = .invalidOptions("the options of \"\(app)\": \(error)")
        case let refusal as Refusal: self = .notOpened(Rejection(.refused, refusal.reason, code: refusal.code))
        case let rejection as Rejection where rejection.kind != .failed: self = .notOpened(rejection)
        case let rejection as Rejection: self = .cannotStart(cause: rejection.cause ?? rejection.reason)
        default: self = .cannotStart(cause: "\(error)")
        }
    }

    /// The meaning of a journal that cannot be read.
    init(reading error: JournalError) {
        switch error {
        case .corrupt, .conflict: self = .onHold(.recordDamaged(cause: "\(error)"))
        case .unavailable(let reason), .outcomeUnknown(let reason): self = .notRead(cause: reason)
        case .unsupported(let reason): self = .unsupported(reason)
        }
    }

    /// True where this build cannot build the session's tree at all.
    var isUnrestorable: Bool {
        switch self {
        case .onHold, .servedElsewhere: true
        default: false
        }
    }

    /// The meaning of a change that the journal did not take.
    init(writing error: JournalError) {
        if case .outcomeUnknown(let reason) = error {
            self = .outcomeUnknown(cause: reason)
        } else {
            self = .notRecorded(cause: "\(error)")
        }
    }

    /// The same failure to a request whose input has happened: nobody may be told that it has not.
    var asUnknownOutcome: SessionError {
        switch self {
        case .notRecorded(let cause), .notRead(let cause): .outcomeUnknown(cause: cause)
        case .onHold(let reason): .outcomeUnknown(cause: reason.cause)
        case .retired: .outcomeUnknown(cause: "the session left memory before its answer")
        case .full, .noRoom, .servedElsewhere, .notTried:
            .outcomeUnknown(cause: "the session could not be woken for the answer: \(self)")
        case .denied: .answerDenied
        default: self
        }
    }

    /// The same failure to a request with an idempotency key, whose first answer could not be looked up.
    var withoutLookup: SessionError {
        guard case .notRead(let cause) = self else { return self }
        return .outcomeUnknown(cause: cause)
    }
}

extension SessionError {
    /// The state in which the session stayed, where the refusal tells it.
    package var current: Snapshot? {
        switch self {
        case .rejected(_, let current), .preconditionFailed(let current): current
        case .inputCrashes(_, let current), .keyReused(let current): current
        default: nil
        }
    }
}
