import UsherJournal

/// The reason why a file cannot be opened as a journal.
package enum SQLiteJournalError: Error, Equatable, Sendable {
    /// It is something else than a journal: no database, or another application's.
    case notAJournal(path: String)
    /// A build with another format has written it.
    case format(path: String, found: Int)
    /// Another process has it open, or this one does already.
    case inUse(path: String)
    /// The file or its directory may not be written to.
    case readOnly(path: String)
    /// The directory that it should be in is not there.
    case noDirectory(path: String)
    /// There is no such file, and it was not to be made.
    case missing(path: String)
    /// There is no such file, or nothing in it, but the write-ahead log of one.
    case logAlone(path: String)
    /// It is a backup, and beside it is the write-ahead log of another journal.
    case foreignLog(path: String)
    /// It is a journal, and damaged beyond its rows.
    case corrupt(path: String, reason: String)
    /// Something else, in the words of the system or of SQLite.
    case other(path: String, reason: String)
}

extension SQLiteJournalError: PassingFailure {
    /// True where another process has the journal, which may be about to end.
    package var mayPass: Bool {
        if case .inUse = self { true } else { false }
    }
}

extension SQLiteJournalError: CustomStringConvertible {
    /// One sentence for an operator.
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
            "the journal \(path) is open in another process; stop that one, or name another file"
        case .readOnly(let path):
            "the journal \(path) cannot be written; make the file and its directory writable for this user"
        case .noDirectory(let path):
            "the directory of the journal \(path) does not exist; make it, or name another"
        case .missing(let path):
            "there is no journal at \(path)"
        case .logAlone(let path):
            """
            there is a write-ahead log \(path)-wal, but not its journal \(path); put that back beside it, or move the log \
            away to begin a new journal
            """
        case .foreignLog(let path):
            """
            the journal \(path) is a backup, and the write-ahead log \(Database.logPath(of: path)) beside it belongs to \
            another; move the log away
            """
        case .corrupt(let path, let reason):
            "the journal \(path) is damaged: \(reason); put a backup in its place"
        case .other(let path, let reason):
            "the journal \(path) cannot be opened: \(reason)"
        }
    }
}

extension SQLiteJournalError {
    /// The error of a read while a journal is opened: one that the disk does not answer is not damaged.
    init(_ error: JournalError, path: String, while action: String) {
        switch error {
        case .corrupt, .conflict: self = .corrupt(path: path, reason: "\(action) (\(error))")
        case .unavailable, .outcomeUnknown, .unsupported: self = .other(path: path, reason: "\(action) (\(error))")
        }
    }
}
