import UsherJournal

/// Checks whether a record is still at a version; one statement answers all waiting checks.
struct Confirmation: Sendable {
    private let key: JournalKey
    private let version: RecordToken?
    private let answer: PendingCommit

    /// Submits a check after a change has completed, without waiting.
    ///
    /// A change in progress does not confirm a version: it may have been written before the check was requested, and
    /// other changes after it.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - basis: The change that leads to the version.
    ///   - worker: The thread that runs the check.
    static func ask(_ key: JournalKey, upon basis: PendingCommit, on worker: ConnectionWorker) -> PendingCommit {
        let answer = PendingCommit(in: GroupCommit())
        basis.whenEnded { result in
            switch result {
            case .success(let version):
                let isTaken = worker.run(.confirm(Confirmation(key: key, version: version, answer: answer)))
                if !isTaken { answer.end(.failure(.closed)) }
            case .failure: answer.end(result)
            }
        }
        return answer
    }

    /// Runs checks and completes them.
    static func answer(_ questions: [Confirmation], on link: DatabaseLink) {
        let rows: ResultRows
        do throws(JournalError) {
            rows = try Reader(link).run(PeerStatements.confirm) {
                $0.keys(questions.map(\.key))
                $0.integers(questions.map { $0.version?.revision ?? 0 })
                $0.marks(questions.map { $0.version?.mark ?? 0 })
            }
        } catch {
            for question in questions { question.answer.end(.failure(error)) }
            return
        }
        let others = Set(rows.indices.map { Int(rows.integer($0, 0)) - 1 })
        for (index, question) in questions.enumerated() {
            question.answer.end(others.contains(index) ? .failure(.conflict) : .success(question.version))
        }
    }
}
