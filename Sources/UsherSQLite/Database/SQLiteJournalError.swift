import UsherJournal

/// The reason why a file cannot be opened as a journal.
package enum SQLiteJournalError: Error, Equatable, Sendable {
    /// The file is not a database, or belongs to another application.
    case notAJournal(path: String)
    /// A build with another format has written the file.
    case format(path: String, found: Int)
    /// Another process has the file open, or this process has it open already.
    case inUse(path: String)
    /// The file or its directory is not writable.
    case readOnly(path: String)
    case noDirectory(path: String)
    /// The file does not exist, and must not be created.
    case missing(path: String)
    /// The file is missing or empty, but its write-ahead log exists.
    case logAlone(path: String)
    /// The file is a backup, and the write-ahead log beside it belongs to another journal.
    case foreignLog(path: String)
    /// The file is a journal that is damaged outside of its rows.
    case corrupt(path: String, reason: String)
    /// Another reason, with the message of the system or SQLite.
    case other(path: String, reason: String)
}

extension SQLiteJournalError: PassingFailure {
    /// A Boolean value that indicates whether the error may pass, because another process has the journal open and may
    /// end soon.
    package var mayPass: Bool {
        if case .inUse = self { true } else { false }
    }
}

extension SQLiteJournalError: CustomStringConvertible {
    /// A sentence for an operator.
    package var description: String {
        switch self {
        case .notAJournal(let path):
            "\(path) is not a journal of this server; name another file"
        case .format(let path, let found):
            """
            the journal \(path) has format \(found), and this build reads only format \(Format.version); start the build that \
            wrote the journal, or name another file
            """
        case .inUse(let path):
            "the journal \(path) is open in another process; stop that process, or name another file"
        case .readOnly(let path):
            "the journal \(path) cannot be written; make the file and its directory writable for this user"
        case .noDirectory(let path):
            "the directory of the journal \(path) does not exist; create the directory, or name another file"
        case .missing(let path):
            "there is no journal at \(path)"
        case .logAlone(let path):
            """
            there is a write-ahead log \(path)-wal without its journal \(path); put the journal back, or move the log away \
            to begin a new journal
            """
        case .foreignLog(let path):
            """
            the journal \(path) is a backup, but the write-ahead log \(Database.logPath(of: path)) beside it belongs to \
            another journal; move the log away
            """
        case .corrupt(let path, let reason):
            "the journal \(path) is damaged: \(reason); replace the journal by a backup"
        case .other(let path, let reason):
            "the journal \(path) cannot be opened: \(reason)"
        }
    }
}

extension SQLiteJournalError {
    /// Creates the error for a read that failed during opening; a disk error does not count as damage.
    init(_ error: JournalError, path: String, while action: String) {
        switch error {
        case .corrupt, .conflict: self = .corrupt(path: path, reason: "\(action) (\(error))")
        case .unavailable, .outcomeUnknown, .unsupported: self = .other(path: path, reason: "\(action) (\(error))")
        }
    }
}
