internal import UsherJournal

extension Statement {
    /// Runs the statement to its end.
    func run(_ values: Value...) throws(JournalError) {
        try each(values) { _ throws(JournalError) in true }
    }

    /// Reads the first row.
    ///
    /// - Returns: nil where there is none.
    func first<Result>(_ values: Value..., read: (Statement) -> Result) throws(JournalError) -> Result? {
        var result: Result?
        try each(values) { row throws(JournalError) in
            result = read(row)
            return false
        }
        return result
    }

    /// Reads all rows.
    func all<Result>(_ values: Value..., read: (Statement) -> Result?) throws(JournalError) -> [Result] {
        var results: [Result] = []
        try each(values) { row throws(JournalError) in
            if let result = read(row) { results.append(result) }
            return true
        }
        return results
    }

    /// Goes through the rows for as long as the body returns true.
    private func each(
        _ values: [Value], _ body: (Statement) throws(JournalError) -> Bool
    ) throws(JournalError) {
        // A statement that is not reset would keep its transaction open.
        defer { reset() }
        do throws(SQLiteFailure) {
            for (index, value) in zip(Int32(1)..., values) { try bind(value, at: index) }
        } catch {
            throw journalError(error)
        }
        while try next() { guard try body(self) else { return } }
    }

    private func next() throws(JournalError) -> Bool {
        do throws(SQLiteFailure) { return try step() } catch { throw journalError(error) }
    }
}
