public import Usher

/// Why a request on a session did nothing.
public enum SessionError: Error, Sendable {
    /// No app has this name.
    case unknownApp(String)
    /// The options do not decode.
    case invalidOptions(String)
    /// The app refuses to be opened like this, its link cannot be followed, or it would cross a limit.
    case notOpened(Rejection)
    /// The server holds as many sessions as it may.
    case full
    /// The app could not start; the cause is for the log.
    case cannotStart(cause: String)
    /// The journal did not take the input, so it has not happened; the cause is for the log.
    case notRecorded(cause: String)
    /// The session could not be built again as it was, and is over; the cause is for the log.
    case diverged(Tombstone, cause: String)
    /// The session is over.
    case ended(Tombstone)
    /// The session is at another revision than the request asks for.
    case preconditionFailed(current: Snapshot)
    /// The input did not count.
    case rejected(Rejection, current: Snapshot)
}
