import UsherJournal

extension Reader {
    /// Adds a guilty input unless it is already stored, and removes the oldest guilty inputs beyond the limit.
    func add(_ input: GuiltyInput) throws(JournalError) {
        let session = input.identity.session
        let content = try seal(input.bytes, for: .guilty(session))
        // Two servers may choose the same number at the same time. In this case, one of the servers must try again.
        var attempts = 0
        var count = 0
        while true {
            do throws(JournalError) {
                count = try number(ReadingStatements.addGuilty, [.key(session), .bytes(content)])
                break
            } catch {
                attempts += 1
                guard attempts < 8 else { throw error }
            }
        }
        guard count >= GuiltyInput.limit else { return }
        _ = try run(ReadingStatements.trimGuilty, [.integer(GuiltyInput.limit)])
    }

    /// Returns the undamaged guilty inputs, oldest first.
    func guiltyInputs() throws(JournalError) -> [GuiltyInput] { try numberedInputs().map(\.input) }

    private func numberedInputs() throws(JournalError) -> [(number: Int64, input: GuiltyInput)] {
        let rows = try run(ReadingStatements.guilty)
        return rows.indices.compactMap { row in
            guard rows.isNull(row, 1) || rows.key(row, 1) != nil else { return nil }
            let session = rows.key(row, 1)
            guard let content = try? open(rows.bytes(row, 2), of: .guilty(session)),
                let input = try? GuiltyInput(content, of: session)
            else { return nil }
            return (rows.integer(row, 0), input)
        }
    }

    func forget(_ selection: GuiltyInput.Selection) throws(JournalError) {
        let numbers = try numberedInputs().filter { selection.contains($0.input) }.map(\.number)
        guard !numbers.isEmpty else { return }
        _ = try run(ReadingStatements.forgetGuilty, [.integers(numbers)])
    }
}
