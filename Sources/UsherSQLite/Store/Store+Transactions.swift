internal import UsherJournal

extension Store {
    /// Begins a transaction.
    func begin() throws(JournalError) {
        // First, for if there is none nothing must be taken back that was done before it.
        recent.begin()
        guard !connection.hasMoved else {
            let path = connection.path
            throw .unavailable("the journal \(path) was moved or deleted; put it back, and it goes on by itself")
        }
        try run(statements.begin)
    }

    /// Commits what was written since `begin`.
    func commit() throws(JournalError) {
        try writeGroup()
        try run(statements.commit)
        if recent.commit() { noteScraps() }
    }

    /// How much was written since the connection was opened: whether it has grown, there is something to take back.
    var written: Int64 { connection.totalChanges + Int64(recent.steps.count) }

    /// Takes back what was not committed.
    func rollBack() {
        connection.rollBack()
        recent.rollBack()
    }

    /// Runs a body and commits what it has written; after a failure, nothing of that is left.
    func transaction<Result>(_ body: () throws(JournalError) -> Result) throws(JournalError) -> Result {
        do throws(JournalError) {
            try begin()
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs a statement whose failure is no session's fault.
    private func run(_ statement: Statement) throws(JournalError) {
        defer { statement.reset() }
        do throws(SQLiteFailure) { _ = try statement.step() } catch {
            throw .unavailable(error.unavailability(connection.path))
        }
    }
}
