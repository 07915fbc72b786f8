/// A client's request, and its response.
struct Observation: Sendable {
    /// The request.
    enum Request: Sendable, Equatable {
        /// Opens a session.
        case opening
        /// Adds a number, which is the last one in the response's state.
        case event(Int)
        /// Adds a number, and waits for the number that follows it.
        case lastingEvent(Int)
        /// No request, but a number that follows an acknowledged one, and must be in the final record.
        case following(Int)
        /// Repeats an acknowledged event with its key.
        case repetition(Int)
        /// Reads the state, or is rejected with the state.
        case look
        /// A state of a stream; each stream of a test has a number, and keeps it when it reconnects.
        case streamed(Int)
        /// Ends the session.
        case end
    }

    /// The response.
    enum Answer: Sendable, Equatable {
        /// The current state, with its revision and numbers.
        case state(revision: Int, numbers: [Int])
        /// The state of a stored response, which was current when the event got its first response.
        case kept(revision: Int, numbers: [Int])
        /// The state has not changed since a revision.
        case unchanged(revision: Int)
        /// The event was rejected for good, with or without the state.
        case refused(revision: Int?, numbers: [Int])
        /// The session has ended.
        case gone
        /// There is no such session.
        case unknown
        /// No response shows what has happened.
        case none
    }

    let session: String
    let request: Request
    /// The start of the attempt that got the response, in nanoseconds.
    let begin: Int64
    /// The time of the response.
    let end: Int64
    let answer: Answer
    /// The bytes of a response that was stored under a key; empty if they do not matter.
    var body: [UInt8] = []
}

extension Observation.Answer {
    /// The revision and the numbers that the response shows; nil if it shows none.
    var shown: (revision: Int, numbers: [Int])? {
        switch self {
        case .state(let revision, let numbers), .kept(let revision, let numbers): (revision, numbers)
        case .refused(let revision?, let numbers): (revision, numbers)
        case .unchanged, .refused, .gone, .unknown, .none: nil
        }
    }

    /// The newest revision according to the response, at its time; nil if it names none.
    var newest: Int? {
        switch self {
        case .state(let revision, _), .unchanged(let revision), .refused(let revision?, _): revision
        case .gone: .max
        case .kept, .refused, .unknown, .none: nil
        }
    }
}

/// The record of a session at the end of a test.
struct FinalRecord: Sendable, Equatable {
    /// The numbers from revision 2 on, in the order of their revisions, as a replay of the database returns them.
    var numbers: [Int]
    /// The revisions of the entries in the database, in order.
    var revisions: [Int]
    /// The last revision of a session that has ended, whose entries are deleted; nil if the session has not ended.
    var end: Int?
    /// Whether the responses of all servers were equal, byte for byte, and a replay led to the same state.
    var isAgreed = true

    var hasEnded: Bool { end != nil }
}
