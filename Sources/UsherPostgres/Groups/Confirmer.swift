import UsherJournal
import UsherProcess

/// The gatherer of confirmations, one statement for all that wait.
final class Confirmer: Sendable {
    /// A question whether a record is still at a version.
    private struct Question {
        let key: JournalKey
        let version: RecordToken?
        let answer: PendingCommit
    }

    private let questions: Gathering<Question>

    /// - Parameter worker: The thread with the connection.
    init(on worker: ConnectionWorker) {
        questions = Gathering(on: worker) { questions, link in
            guard let link else {
                for question in questions { question.answer.end(.failure(.closed)) }
                return
            }
            Self.answer(questions, on: link)
            // Clients that have their answers come back by then: a busy server needs less than half of the statements.
            SystemThread.yield()
        }
    }

    /// Asks whether a record is still at the version that a change leads to.
    ///
    /// A change that is under way is waited for, and is no answer: it may have been written before this was asked, and
    /// others after it.
    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit {
        let answer = PendingCommit(in: GroupCommit())
        basis.whenEnded { [questions] result in
            switch result {
            case .success(let version):
                questions.add(CollectionOfOne(Question(key: key, version: version, answer: answer)))
            case .failure: answer.end(result)
            }
        }
        return answer
    }

    private static func answer(_ questions: [Question], on link: DatabaseLink) {
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
