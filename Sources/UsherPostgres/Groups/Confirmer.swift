import Synchronization
import UsherJournal

/// The gatherer of confirmations: all that come while a statement is under way go into the next.
final class Confirmer: Sendable {
    /// A question whether a record is still the one that a tree knows.
    private struct Question {
        let key: JournalKey
        let token: RecordToken?
        private let chain: WriteChain
        private let confirmation: VersionConfirmation

        init(_ key: JournalKey, at chain: WriteChain, _ confirmation: VersionConfirmation) {
            self.key = key
            self.chain = chain
            token = chain.token
            self.confirmation = confirmation
        }

        /// Ends the wait for it.
        ///
        /// - Parameter isSame: False where the record has another version, or nobody knows.
        func end(_ isSame: Bool) {
            guard !isSame else { return confirmation.end(true) }
            guard let change = chain.outstanding, !change.isDone else { return endOtherwise() }
            change.whenDone { endOtherwise() }
        }

        /// It may be the chain's own change that was written meanwhile: upon the version that was asked for, which was
        /// the newest until then.
        private func endOtherwise() {
            let isOwn = confirmation.holds && chain.token != token
            if !isOwn { chain.fallBehind(from: token) }
            confirmation.end(isOwn)
        }
    }

    private struct State {
        var questions: [Question] = []
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let worker: ConnectionWorker

    init(on worker: ConnectionWorker) {
        self.worker = worker
    }

    /// Asks whether a record is still the one that a chain's tree knows.
    ///
    /// A change of the chain that is under way is waited for, and is no answer: it may have been written before this was
    /// asked, and others after it.
    ///
    func confirm(_ key: JournalKey, at chain: WriteChain) -> VersionConfirmation {
        let confirmation = VersionConfirmation(at: chain)
        let ask: @Sendable () -> Void = { [self] in
            guard confirmation.holds else { return confirmation.end(false) }
            add(Question(key, at: chain, confirmation))
        }
        if let change = chain.outstanding { change.whenDone(ask) } else { ask() }
        return confirmation
    }

    private func add(_ question: Question) {
        let isFirst = state.withLock { state in
            state.questions.append(question)
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        if isFirst { ask() }
    }

    /// Has the next statement run on the worker's thread.
    private func ask() {
        let isTaken = worker.run { [self] link in
            let questions = take()
            guard !questions.isEmpty else { return }
            answer(questions, on: link)
            ask()
        }
        guard !isTaken else { return }
        while true {
            let questions = take()
            guard !questions.isEmpty else { return }
            for question in questions { question.end(false) }
        }
    }

    /// Takes what has come; where that is nothing, the next who comes begins anew.
    private func take() -> [Question] {
        state.withLock { state in
            let questions = state.questions
            state.questions = []
            if questions.isEmpty { state.isUnderWay = false }
            return questions
        }
    }

    private func answer(_ questions: [Question], on link: DatabaseLink) {
        var others: Set<Int> = []
        do throws(JournalError) {
            let rows = try Reader(link).run(PeerStatements.confirm) {
                $0.keys(questions.map(\.key))
                $0.integers(questions.map { $0.token?.revision ?? 0 })
                $0.marks(questions.map { $0.token?.mark ?? 0 })
            }
            for row in rows.indices { others.insert(Int(rows.integer(row, 0)) - 1) }
        } catch {
            // Nobody knows, so each has to look for itself, and finds out why it cannot.
            others = Set(questions.indices)
        }
        for (index, question) in questions.enumerated() { question.end(!others.contains(index)) }
    }
}
