import CSQLite
import UsherJournal

/// The failure of an SQLite call, or this build's refusal of a file.
struct SQLiteFailure: Error {
    let code: Int32
    let message: String
    /// The reason why this build refuses the file; nil if SQLite failed.
    let refusal: SQLiteJournalError?

    init(_ refusal: SQLiteJournalError) {
        code = SQLITE_ERROR
        message = refusal.description
        self.refusal = refusal
    }

    init(code: Int32, message: String? = nil) {
        self.code = code
        self.message = message ?? Self.words(code)
        refusal = nil
    }

    private static func words(_ code: Int32) -> String {
        guard let words = unsafe sqlite3_errstr(code) else { return "" }
        return unsafe String(cString: words)
    }

    var primaryCode: Int32 { code & 0xFF }

    /// Returns the error for callers that use an open journal.
    func journalError(_ path: String) -> JournalError {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(.malformed)
        case SQLITE_CONSTRAINT: .conflict
        default: .unavailable(unavailability(path))
        }
    }

    /// Returns the reason why a journal does not work, as a sentence.
    func unavailability(_ path: String) -> String {
        switch primaryCode {
        case SQLITE_FULL: "the disk of the journal \(path) is full; free space, and the server continues"
        case SQLITE_READONLY: "the journal \(path) has become read-only; make it writable, and the server continues"
        default: "the journal \(path) does not work: \(message) (SQLite's code \(code))"
        }
    }

    func openingError(_ path: String) -> SQLiteJournalError {
        switch primaryCode {
        case SQLITE_NOTADB: .notAJournal(path: path)
        case SQLITE_BUSY, SQLITE_LOCKED: .inUse(path: path)
        case SQLITE_READONLY, SQLITE_PERM: .readOnly(path: path)
        case SQLITE_CORRUPT: .corrupt(path: path, reason: message)
        default: .other(path: path, reason: "\(message) (SQLite's code \(code))")
        }
    }
}
