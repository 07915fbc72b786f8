package import Usher

/// Why a request on a session did nothing.
///
/// What is large stands apart: most results are no errors, and are passed on with the room that an error would take.
package enum SessionError: Error, Sendable {
    /// No app has this name.
    case unknownApp(String)
    /// The options do not decode.
    case invalidOptions(String)
    /// The app refuses to be opened like this, its link cannot be followed, or it would cross a limit.
    indirect case notOpened(Rejection)
    /// The server holds as many sessions as it may.
    case full
    /// The app could not start; the cause is for the log.
    case cannotStart(cause: String)
    /// The journal did not take the input, so it has not happened; the cause is for the log.
    case notRecorded(cause: String)
    /// The journal cannot be read now; the cause is for the log.
    case notRead(cause: String)
    /// The session's record is damaged, or this build cannot begin it; the cause is for the log.
    case notRestored(cause: String)
    /// There is no such session.
    case unknown
    /// The session is over.
    indirect case ended(Tombstone)
    /// The session is at another revision than the request asks for.
    indirect case preconditionFailed(current: Snapshot)
    /// The input did not count.
    indirect case rejected(Rejection, current: Snapshot)
    /// The idempotency key was used for another request.
    case keyReused
    /// The session has no such revision, or this build cannot show it; one sentence for the operator.
    case noRevision(String)
    /// The journal cannot do that at all; one sentence for the operator.
    case unsupported(String)
    /// As many watch as may; the client may ask again later.
    case tooManyWatchers
    /// The session has left memory meanwhile: it has to be looked up again.
    case retired
}
