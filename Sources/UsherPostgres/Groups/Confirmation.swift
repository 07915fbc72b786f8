import UsherJournal

/// A check whether a record still has the expected version; one statement runs all waiting checks.
struct Confirmation: Sendable {
    private let key: JournalKey
    private let version: RecordToken?
    private let answer: PendingCommit

    /// Submits a check of the version that a change results in; the check starts when the change has completed.
    ///
    /// The success of the change does not replace the check: the change may have been written before the check was
    /// requested, and another server may have changed the record since then.
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

    static func answer(_ questions: [Confirmation], on link: DatabaseLink) {
        let rows: ResultRows
        do throws(JournalError) {
            let parameters: [Parameter] = [
                .keys(questions.map(\.key)), .integers(questions.map { $0.version?.revision ?? 0 }),
                .integers(questions.map { $0.version?.mark ?? 0 }),
            ]
            rows = try Reader(link).run(PeerStatements.confirm, parameters)
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
