import UsherJournal

/// The failure of a statement or a connection, by what has to be done about it.
struct PostgresFailure: Error, Equatable {
    /// The kinds of failures.
    enum Kind: Equatable {
        /// Nobody could be asked: there is no connection.
        case unconnected
        /// The statement was sent, and nobody knows what became of it.
        case unanswered
        /// The statement was undone, and may do the next time: a deadlock, a lock that was held for too long.
        case undone
        /// The statement did nothing, for this server of the database takes no writes.
        case wrongServer
        /// The statement did nothing, for one of its rows cannot be written.
        case row
        /// The statement did nothing, and will not before the operator has done something.
        case configuration
        /// The statement did nothing, for want of room or for another reason that may pass.
        case resource
    }

    /// The kind of failure.
    let kind: Kind
    /// The SQLSTATE; empty where the database said nothing.
    let state: String
    /// The reason, in the words of the database or of its client library.
    let message: String

    /// Makes a failure in which the database had no part.
    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        state = ""
        self.message = message
    }

    /// Makes a failure that the database has told.
    ///
    /// - Parameters:
    ///   - state: The SQLSTATE.
    ///   - message: The database's words.
    init(state: String, message: String) {
        kind = Self.kind(of: state)
        self.state = state
        self.message = message
    }

    /// True for a warning by which the wait of a commit for the standby was cancelled: it is kept, and may not be
    /// replicated.
    ///
    /// The database warns of other things, too, with the same code, and its words are in any language. A warning of which
    /// nobody knows where it comes from counts.
    ///
    /// - Parameters:
    ///   - state: The SQLSTATE.
    ///   - function: The name of the database's function that warns; empty where it is not told.
    static func isUnreplicated(warning state: String, from function: String) -> Bool {
        state.hasPrefix("01") && (function.isEmpty || function == "SyncRepWaitForLSN")
    }

    /// True where another transaction holds a lock, and has not let it go in time.
    var isLockTimeout: Bool { state == "55P03" }

    private static func kind(of state: String) -> Kind {
        switch state {
        case "40001", "40P01", "55P03", "57014": .undone
        // The second says so itself: nobody knows whether the transaction is kept.
        case "", "40003": .unanswered
        case "25006", "53300": .wrongServer
        case "53100", "53200", "53400", "58030": .resource
        case "3D000", "3F000", "0A000": .configuration
        default:
            switch state.prefix(2) {
            case "08", "01": .unanswered
            // The server's process ends.
            case "57": .unanswered
            case "22", "23": .row
            case "28", "42": .configuration
            default: .resource
            }
        }
    }

    /// The error for those who use the journal; one whose statement was not answered may have happened.
    ///
    /// - Parameter name: The name of the journal.
    func journalError(_ name: String) -> JournalError {
        kind == .unanswered ? .outcomeUnknown(unavailability(name)) : .unavailable(unavailability(name))
    }

    /// The error for those who only wanted to read.
    func readingError(_ name: String) -> JournalError {
        .unavailable(unavailability(name))
    }

    /// The error for those who look at one moment, which is over.
    func inspectionError(_ name: String) -> JournalError {
        .unavailable("the look at the journal \(name) is over: \(words); begin again")
    }

    private var words: String { state.isEmpty ? message : "\(message) (SQLSTATE \(state))" }

    /// The reason why the journal does not work, in a sentence.
    func unavailability(_ name: String) -> String {
        switch kind {
        case .unconnected, .unanswered, .wrongServer:
            "the journal \(name) does not answer: \(words); it goes on by itself once it does"
        case .resource where state == "53100":
            "the disk of the journal \(name) is full; make room there, and it goes on by itself"
        case .configuration where state.isEmpty: "the journal \(name) cannot be used: \(words)"
        case .configuration: "the journal \(name) refuses this server: \(words)"
        case .undone, .row, .resource: "the journal \(name) does not work: \(words)"
        }
    }
}
