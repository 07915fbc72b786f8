import Synchronization
import UsherJournal

/// The gatherer of confirmations: all that come while a statement is under way go into the next.
final class Confirmer: Sendable {
    /// A question whether a record is still the one that a tree knows.
    private struct Question {
        let key: JournalKey
        let chain: WriteChain
        let token: RecordToken?
    }

    /// The questions that one statement asks.
    private struct Questions {
        var questions: [Question] = []
        let commit = Commit()
    }

    private struct State {
        var batch: Questions?
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let worker: ConnectionWorker

    init(on worker: ConnectionWorker) {
        self.worker = worker
    }

    /// Asks whether a record is still the one that a chain's tree knows.
    ///
    /// - Returns: The commit after which the chain tells.
    func confirm(_ key: JournalKey, at chain: WriteChain) -> Commit {
        if let commit = chain.outstanding, !commit.isDone { return commit }
        let question = Question(key: key, chain: chain, token: chain.token)
        let (commit, isFirst) = state.withLock { state in
            var batch = state.batch ?? Questions()
            batch.questions.append(question)
            state.batch = batch
            defer { state.isUnderWay = true }
            return (batch.commit, !state.isUnderWay)
        }
        if isFirst { ask() }
        return commit
    }

    /// Has the next statement run on the worker's thread.
    private func ask() {
        let isTaken = worker.run { [self] link in
            guard let batch = take() else { return }
            answer(batch, on: link)
            batch.commit.finish()
            ask()
        }
        guard !isTaken else { return }
        while let batch = take() {
            for question in batch.questions { question.chain.fallBehind(from: question.token) }
            batch.commit.finish()
        }
    }

    /// Takes what has come; where that is nothing, the next who comes begins anew.
    private func take() -> Questions? {
        state.withLock { state in
            let batch = state.batch
            state.batch = nil
            if batch == nil { state.isUnderWay = false }
            return batch
        }
    }

    private func answer(_ batch: Questions, on link: DatabaseLink) {
        let questions = batch.questions
        do throws(JournalError) {
            let rows = try Reader(link).run(PeerStatements.confirm) {
                $0.keys(questions.map(\.key))
                $0.integers(questions.map { $0.token?.revision ?? 0 })
                $0.marks(questions.map { $0.token?.mark ?? 0 })
            }
            for row in rows.indices {
                let question = questions[Int(rows.integer(row, 0)) - 1]
                question.chain.fallBehind(from: question.token)
            }
        } catch {
            // Nobody knows, so each has to look for itself, and finds out why it cannot.
            for question in questions { question.chain.fallBehind(from: question.token) }
        }
    }
}
