internal import UsherJournal

/// The rows of a journal's database.
final class Store {
    let connection: Connection
    let statements: Statements
    /// What is kept in the table of recent entries, and counts as if it were in `rows`.
    var recent: Recent
    /// Whether something was taken out since `forgetScraps` that must not stay in the write-ahead log.
    private(set) var hasScraps = false

    init(_ connection: Connection, _ limits: RecentLimits = RecentLimits()) throws(SQLiteJournalError) {
        self.connection = connection
        recent = Recent(limits)
        do throws(SQLiteFailure) { statements = try Statements(connection) } catch {
            throw error.openingError(connection.path)
        }
        try loadRecent()
    }

    func noteScraps() {
        hasScraps = true
    }

    func forgetScraps() {
        hasScraps = false
    }

    /// The content of a row in `rows`.
    func content(_ slot: Int, of key: JournalKey) throws(JournalError) -> [UInt8]? {
        try statements.row.first(.key(key), .integer(slot)) { SecretRow.unwrapping($0.bytes(0)) }
    }

    /// The head of a session.
    ///
    /// - Returns: nil for a session that there is not.
    func head(of key: JournalKey) throws(JournalError) -> SessionHeader? {
        if let head = try recentHead(of: key) { return head }
        guard let bytes = try content(0, of: key) else {
            // Either both tables know it or neither.
            guard try !isListed(key) else { throw .corrupt(.incomplete) }
            return nil
        }
        return try intact { () throws(EntryError) in try SessionHeader(bytes, of: key) }
    }

    /// Whether the table of sessions knows one.
    func isListed(_ key: JournalKey) throws(JournalError) -> Bool {
        try statements.session.first(.key(key)) { _ in true } ?? false
    }

    /// Reads bytes, of which one session is to blame if they are none.
    func intact<Result>(_ read: () throws(EntryError) -> Result) throws(JournalError) -> Result {
        do throws(EntryError) { return try read() } catch { throw .corrupt(error) }
    }
}
