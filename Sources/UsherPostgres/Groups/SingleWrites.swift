import UsherJournal

/// The changes of a round that expect nothing of their records: notes of use, bodies of answers, erasures.
///
/// Each can be sent again without harm, as often as it takes to have an answer.
struct SingleWrites {
    private let changes: [JournalChange]
    private let link: DatabaseLink
    private let deadline: Int64

    /// - Parameter deadline: By the `MonotonicClock`.
    init(_ changes: [JournalChange], on link: DatabaseLink, until deadline: Int64) {
        self.changes = changes
        self.link = link
        self.deadline = deadline
    }

    /// Writes them.
    ///
    /// - Returns: The sessions that there are not.
    /// - Throws: `PostgresFailure`.
    func run() throws(PostgresFailure) -> Set<JournalKey> {
        try touch().union(erase()).subtracting(complete())
    }

    private func touch() throws(PostgresFailure) -> Set<JournalKey> {
        let uses = changes.compactMap { change in
            if case .touch(let time) = change.action { (key: change.key, time: time) } else { nil }
        }
        guard !uses.isEmpty else { return [] }
        var parameters = Parameters()
        parameters.keys(uses.map(\.key))
        parameters.integers(uses.map { Int64?($0.time) })
        return try commit(SingleStatements.touch, parameters).keys
    }

    /// - Returns: None, for an answer may have gone.
    private func complete() throws(PostgresFailure) -> Set<JournalKey> {
        let answers = changes.compactMap { change in
            if case .complete(let answer) = change.action { (key: change.key, answer: answer) } else { nil }
        }
        guard !answers.isEmpty else { return [] }
        var parameters = Parameters()
        parameters.keys(answers.map(\.key))
        parameters.bytes(ofEach: answers.map { Array($0.answer.key.utf8) })
        parameters.bytes(
            ofEach: try answers.map { row throws(PostgresFailure) in
                try link.seal.seal(row.answer.bytes(of: row.key), for: .answer(row.key, under: row.answer.key))
            })
        _ = try commit(SingleStatements.complete, parameters)
        return []
    }

    // MARK: Erasures

    private typealias Erasure = (key: JournalKey, revision: Int, token: RecordToken)
    private typealias Rewritten = (key: JournalKey, number: Int, mark: UInt64, before: [UInt8], content: [UInt8])

    private func erase() throws(PostgresFailure) -> Set<JournalKey> {
        let all = changes.compactMap { change in
            if case .erase(let revision) = change.action {
                (key: change.key, revision: revision, token: change.basis.version)
            } else {
                nil
            }
        }
        guard !all.isEmpty else { return [] }
        let erasures = all.map { erasure -> Erasure in
            (erasure.key, erasure.revision, erasure.token ?? RecordToken(revision: 0, mark: 0))
        }
        let found = try erasableEntries(erasures)
        try rewrite(found.entries, with: SingleStatements.rewriteEntries)
        // A session that has ended, or whose history is another by now, keeps its answers as they are.
        let alive = erasures.filter { found.alive.contains($0.key) }
        if !alive.isEmpty { try rewrite(try erasedAnswers(alive), with: SingleStatements.rewriteAnswers) }
        return found.missing
    }

    /// The sessions of erasures, as the database has them.
    private struct ErasableEntries {
        /// Those that there are not.
        var missing: Set<JournalKey> = []
        /// Those whose entries are there.
        var alive: Set<JournalKey> = []
        /// The entries without their secrets.
        var entries: [Rewritten] = []
    }

    private func erasableEntries(_ erasures: [Erasure]) throws(PostgresFailure) -> ErasableEntries {
        var parameters = Parameters()
        parameters.keys(erasures.map(\.key))
        parameters.integers(erasures.map(\.revision))
        parameters.integers(erasures.map(\.token.revision))
        parameters.marks(erasures.map(\.token.entryMark))
        let rows = try link.run(SingleStatements.erasable, parameters, by: deadline)
        var found = ErasableEntries()
        for row in rows.indices {
            guard let key = rows.key(row, 0) else { continue }
            if rows.integer(row, 1) == 0 { found.missing.insert(key) }
            guard !rows.isNull(row, 2) else { continue }
            found.alive.insert(key)
            // A damaged entry stays as it is, for an operator to look at.
            let before = rows.bytes(row, 4)
            let revision = Int(rows.integer(row, 2))
            let place = SealedRow.entry(key, revision: revision)
            guard let opened = try? link.seal.open(before, of: place),
                let content = try? RecordUpdate.erased(entry: opened, of: key)
            else { continue }
            found.entries.append(
                (key, revision, rows.mark(row, 3), before, try link.seal.seal(content, for: place)))
        }
        return found
    }

    /// The answers that show the erased revisions, without their fingerprints.
    private func erasedAnswers(_ erasures: [Erasure]) throws(PostgresFailure) -> [Rewritten] {
        var parameters = Parameters()
        parameters.keys(Set(erasures.map(\.key)))
        let rows = try link.run(SingleStatements.answers, parameters, by: deadline)
        var found: [Rewritten] = []
        for row in rows.indices {
            guard let key = rows.key(row, 0) else { continue }
            let before = rows.bytes(row, 3)
            let place = SealedRow.answer(key, under: rows.text(row, 4))
            guard var content = try? link.seal.open(before, of: place) else { continue }
            var isRewritten = false
            for erasure in erasures where erasure.key == key {
                guard
                    let erased = try? RecordUpdate.erase(revision: erasure.revision)
                        .rewritten(answer: content, of: key)
                else { continue }
                (content, isRewritten) = (erased, true)
            }
            guard isRewritten else { continue }
            content = try link.seal.seal(content, for: place)
            found.append((key, Int(rows.integer(row, 1)), rows.mark(row, 2), before, content))
        }
        return found
    }

    private func rewrite(
        _ rewritten: [Rewritten], with statement: PostgresStatement
    ) throws(PostgresFailure) {
        guard !rewritten.isEmpty else { return }
        var parameters = Parameters()
        parameters.keys(rewritten.map(\.key))
        parameters.integers(rewritten.map(\.number))
        parameters.marks(rewritten.map(\.mark))
        parameters.bytes(ofEach: rewritten.map(\.before))
        parameters.bytes(ofEach: rewritten.map(\.content))
        _ = try commit(statement, parameters)
    }

    private func commit(
        _ statement: PostgresStatement, _ parameters: Parameters
    ) throws(PostgresFailure) -> ResultRows {
        try link.run(statement, parameters, by: deadline, isCommit: true)
    }
}
