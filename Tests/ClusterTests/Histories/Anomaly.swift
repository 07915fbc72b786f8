/// A contradiction to what servers on one journal promise, found in the clients' histories.
struct Anomaly: Hashable, Sendable {
    enum Kind: Sendable {
        /// An acknowledged number is not in the record.
        case lost
        /// A number is in the record more than once.
        case doubled
        /// A number is in the record that was refused.
        case refusedButKept
        /// A number stands at another revision than it was acknowledged at.
        case wrongRevision
        /// The record lacks a revision, or has one too many.
        case gap
        /// An answer shows a state that is no beginning of the record.
        case otherHistory
        /// An answer shows an older state than one before its request began.
        case stale
        /// A key was answered differently.
        case otherAnswer
        /// A stream has shown a state twice, or an older one after a newer.
        case streamWentBack
        /// The servers answer differently at the end, when nothing changes any more, or other than a replay.
        case disagreement
        /// An effect has not reached the backend, though its result counts.
        case notDelivered
        /// An effect has reached the backend under several ids.
        case severalIds
        /// An effect was begun more often than servers that ran it have died.
        case begunTwice
        /// A session that was opened is unknown.
        case unknownSession
        /// No event was acknowledged: the run says nothing.
        case nothingAcknowledged
        /// No fault took place: the run says nothing.
        case noFault
    }

    let kind: Kind
    /// The session; empty where it is the whole run.
    let session: String
    /// The number, or the stream, that shows it.
    var number: Int?
    /// The revision that shows it; nil where none does alone.
    var revision: Int?

    init(_ kind: Kind, of session: String = "", number: Int? = nil, at revision: Int? = nil) {
        self.kind = kind
        self.session = session
        self.number = number
        self.revision = revision
    }
}
