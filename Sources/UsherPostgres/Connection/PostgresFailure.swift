import UsherJournal

/// The failure of a statement or a connection, with a kind that shows what can be done about it.
struct PostgresFailure: Error, Equatable {
    enum Kind: Equatable {
        /// There is no connection, so nothing was sent.
        case unconnected
        /// The statement was sent, and its outcome is unknown.
        case unanswered
        /// The statement was rolled back, for example because of a deadlock or a lock timeout, and may succeed next
        /// time.
        case undone
        /// The statement had no effect, because the database server does not accept writes.
        case wrongServer
        /// The statement had no effect, because one of its rows cannot be written.
        case row
        /// The statement had no effect, and only the operator can remove the cause.
        case configuration
        /// The statement had no effect, because a resource is exhausted, or for another reason that may pass.
        case resource
    }

    let kind: Kind
    /// The SQLSTATE; empty if the database did not respond.
    let state: String
    /// The message of the database or of libpq.
    let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        state = ""
        self.message = message
    }

    init(state: String, message: String) {
        kind = Self.kind(of: state)
        self.state = state
        self.message = message
    }

    /// Returns `true` for the warning that a commit is stored, but no longer waits for the standby.
    ///
    /// The database uses the same SQLSTATE for other warnings, and translates its messages, so this warning is
    /// identified by the name of the database's function that sent it. A warning without such a name counts as this one.
    static func isUnreplicated(warning state: String, from function: String) -> Bool {
        state.hasPrefix("01") && (function.isEmpty || function == "SyncRepWaitForLSN")
    }

    /// A Boolean value that indicates whether another transaction held a lock for too long.
    var isLockTimeout: Bool { state == "55P03" }

    private static func kind(of state: String) -> Kind {
        switch state {
        case "40001", "40P01", "55P03", "57014": .undone
        // SQLSTATE 40003 means that it is unknown whether the statement was completed.
        case "", "40003": .unanswered
        case "25006", "53300": .wrongServer
        case "53100", "53200", "53400", "58030": .resource
        case "3D000", "3F000", "0A000": .configuration
        default:
            switch state.prefix(2) {
            case "08", "01": .unanswered
            // After these errors, the database's process for this connection ends.
            case "57": .unanswered
            case "22", "23": .row
            case "28", "42": .configuration
            default: .resource
            }
        }
    }

    /// Returns the error for callers that write; a statement without a response may have taken effect.
    func journalError(_ name: String) -> JournalError {
        kind == .unanswered ? .outcomeUnknown(unavailability(name)) : .unavailable(unavailability(name))
    }

    /// Returns the error for an inspection, which cannot continue because its snapshot is lost.
    func inspectionError(_ name: String) -> JournalError {
        .unavailable("the journal \(name) cannot be read any further: \(words); start the command again")
    }

    private var words: String { state.isEmpty ? message : "\(message) (SQLSTATE \(state))" }

    /// Returns the reason why the journal does not work, as a sentence.
    func unavailability(_ name: String) -> String {
        switch kind {
        case .unconnected, .unanswered, .wrongServer:
            "the journal \(name) does not answer: \(words); the server continues when the journal answers"
        case .resource where state == "53100":
            "the disk of the journal \(name) is full; free space, and the server continues"
        case .configuration where state.isEmpty: "the journal \(name) cannot be used: \(words)"
        case .configuration: "the journal \(name) rejects this server: \(words)"
        case .undone, .row, .resource: "the journal \(name) does not work: \(words)"
        }
    }
}
