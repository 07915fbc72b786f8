/// A contradiction to what servers on one journal promise, found in the clients' histories.
enum Anomaly: Hashable, Sendable {
    /// An acknowledged number is not in the record.
    case lost(session: String, number: Int)
    /// A number is in the record more than once.
    case doubled(session: String, number: Int)
    /// A number is in the record that was refused.
    case refusedButKept(session: String, number: Int)
    /// A number stands at another revision than it was acknowledged at.
    case wrongRevision(session: String, number: Int)
    /// The record lacks a revision, or has one too many.
    case gap(session: String)
    /// An answer shows a state that is no beginning of the record.
    case otherHistory(session: String, revision: Int)
    /// An answer shows an older state than one before its request began.
    case stale(session: String, revision: Int, newest: Int)
    /// A key was answered differently.
    case otherAnswer(session: String, number: Int)
    /// A stream has shown a state twice, or an older one after a newer.
    case streamWentBack(session: String, stream: Int)
    /// The servers answer differently at the end, when nothing changes any more, or other than a replay.
    case disagreement(session: String)
    /// An effect has not reached the backend, though its result counts.
    case notDelivered(session: String, number: Int)
    /// An effect has reached the backend under several ids.
    case severalIds(session: String, number: Int)
    /// An effect was begun more often than servers that ran it have died.
    case begunTwice(session: String, number: Int)
    /// A session that was opened is unknown.
    case unknownSession(String)
    /// Nothing was acknowledged, or no fault took place: the run says nothing.
    case nothingHappened(String)
}

extension Anomaly {
    /// The kind, by which a test that plants one knows it.
    var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension Anomaly {
    /// The session, and the revision at which it shows; nil where it shows nowhere alone.
    var place: (session: String, revision: Int?) {
        switch self {
        case .otherHistory(let session, let revision), .stale(let session, let revision, _): (session, revision)
        case .lost(let session, _), .doubled(let session, _), .refusedButKept(let session, _),
            .wrongRevision(let session, _), .otherAnswer(let session, _), .streamWentBack(let session, _),
            .gap(let session), .disagreement(let session), .unknownSession(let session),
            .notDelivered(let session, _), .severalIds(let session, _), .begunTwice(let session, _):
            (session, nil)
        case .nothingHappened: ("", nil)
        }
    }
}
