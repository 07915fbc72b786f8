import UsherJournal
import UsherProcess

/// The gatherer of confirmations, one statement for all that wait.
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

    private let questions: Gathering<Question>

    /// - Parameter worker: The thread with the connection.
    init(on worker: ConnectionWorker) {
        questions = Gathering(on: worker) { questions, link in
            guard let link else {
                for question in questions { question.end(false) }
                return
            }
            Self.answer(questions, on: link)
            // Clients that have their answers come back by then: a busy server needs less than half of the statements.
            SystemThread.yield()
        }
    }

    /// Asks whether a record is still the one that a chain's tree knows.
    ///
    /// A change of the chain that is under way is waited for, and is no answer: it may have been written before this was
    /// asked, and others after it.
    func confirm(_ key: JournalKey, at chain: WriteChain) -> VersionConfirmation {
        let confirmation = VersionConfirmation(at: chain)
        let ask: @Sendable () -> Void = { [questions] in
            guard confirmation.holds else { return confirmation.end(false) }
            questions.add(CollectionOfOne(Question(key, at: chain, confirmation)))
        }
        if let change = chain.outstanding { change.whenDone(ask) } else { ask() }
        return confirmation
    }

    private static func answer(_ questions: [Question], on link: DatabaseLink) {
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
