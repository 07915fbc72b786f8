/// A violation of the promises of servers on one journal, found in the clients' histories.
struct Anomaly: Hashable, Sendable {
    enum Kind: Sendable {
        /// An acknowledged number is missing in the record.
        case lost
        /// A number is in the record more than once.
        case doubled
        /// The record contains a number that was rejected.
        case refusedButKept
        /// A number has another revision than the one at which it was acknowledged.
        case wrongRevision
        /// The record lacks a revision, or has one too many.
        case gap
        /// A response shows a state that is not a beginning of the record.
        case otherHistory
        /// A response shows an older state than a response that arrived before the request was sent.
        case stale
        /// A key got two different responses.
        case otherAnswer
        /// A stream showed a state twice, or an older state after a newer one.
        case streamWentBack
        /// At the end, when nothing changes any more, the servers' responses differ from each other or from a replay.
        case disagreement
        /// An effect has a result, but has not reached the backend.
        case notDelivered
        /// An effect has reached the backend under several ids.
        case severalIds
        /// An effect was started more often than its servers have died.
        case begunTwice
        /// An opened session is unknown.
        case unknownSession
        /// No event was acknowledged, so the run proves nothing.
        case nothingAcknowledged
        /// No fault took place, so the run proves nothing.
        case noFault
    }

    let kind: Kind
    /// The session; empty for an anomaly of the whole run.
    let session: String
    /// The number or the stream with the anomaly.
    var number: Int?
    /// The revision with the anomaly; nil if it is not a single revision.
    var revision: Int?

    init(_ kind: Kind, of session: String = "", number: Int? = nil, at revision: Int? = nil) {
        self.kind = kind
        self.session = session
        self.number = number
        self.revision = revision
    }
}
