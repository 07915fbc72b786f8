/// One request of a client, and its answer.
struct Observation: Sendable {
    /// The request.
    enum Request: Sendable, Equatable {
        /// A session is opened.
        case opening
        /// A number is added; it stands at the end of the answer's state.
        case event(Int)
        /// A number is added, and the answer waits for what follows on it.
        case lastingEvent(Int)
        /// No request, but a number that follows on an acknowledged one: it has to be in the record at the end.
        case following(Int)
        /// An event that was acknowledged is sent once more, under its key.
        case repetition(Int)
        /// A read, or a refused request that shows the state.
        case look
        /// A state of a stream; the streams of a test have different numbers, and each goes on over its connections.
        case streamed(Int)
        /// The session is ended.
        case end
    }

    /// The answer.
    enum Answer: Sendable, Equatable {
        /// The state: its revision, and the numbers that it shows.
        case state(revision: Int, numbers: [Int])
        /// The state of an answer that was kept: it was true when the event was first answered.
        case kept(revision: Int, numbers: [Int])
        /// The state is still that of a revision.
        case unchanged(revision: Int)
        /// An event was refused for good, with or without the state.
        case refused(revision: Int?, numbers: [Int])
        /// The session has ended.
        case gone
        /// There is no such session.
        case unknown
        /// None came that says what has happened.
        case none
    }

    let session: String
    let request: Request
    /// When the attempt began that was answered, in nanoseconds.
    let begin: Int64
    /// When the answer was there.
    let end: Int64
    let answer: Answer
    /// The bytes of an answer that was kept under a key; empty where that does not matter.
    var body: [UInt8] = []
}

extension Observation.Answer {
    /// The revision and the numbers of an answer that shows them.
    var shown: (revision: Int, numbers: [Int])? {
        switch self {
        case .state(let revision, let numbers), .kept(let revision, let numbers): (revision, numbers)
        case .refused(let revision?, let numbers): (revision, numbers)
        case .unchanged, .refused, .gone, .unknown, .none: nil
        }
    }

    /// The revision that an answer says to be the newest at its time.
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
    /// The numbers in the order of their revisions, from revision 2 on, as a replay of the database's entries has them.
    var numbers: [Int]
    /// The revisions that the database has entries of, in order.
    var revisions: [Int]
    /// The revision that the database has of a session that has ended; it has no entries of it any more.
    var end: Int?
    /// True where all servers have given the same answer, byte for byte, and a replay has come to the same state.
    var isAgreed = true

    var hasEnded: Bool { end != nil }
}
