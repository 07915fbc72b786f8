import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Waits until the effects that an input began have come to their end, and those that their results began.
    ///
    /// - Parameters:
    ///   - token: The wait's.
    ///   - duration: How long to wait at most; then the answer is what the session shows by then.
    ///   - first: What it showed at once.
    /// - Returns: The answer, with all that has changed since the input.
    func waitedAnswer(_ token: Int, within duration: Duration, first: Snapshot) async throws(SessionError) -> Snapshot {
        await settings.waits.run(
            within: duration, by: settings.clock, { await waitForEnd(of: token) },
            endingBy: { [self] in life.withLock { $0.ongoing.waits[token]?.end() } })
        defer { life.withLock { $0.ongoing.remove(token) } }
        var answer = first
        if let settled = try await settledAnswer(token) { answer = settled }
        return try await complete(token, with: answer)
    }

    /// Waits for an answer that another request with the same key waits for.
    ///
    /// - Returns: Whether there was one.
    func waitForTwin(_ key: String) async -> Bool {
        guard let token = life.withLock({ $0.ongoing.token(of: key) }) else { return false }
        await waitForEnd(of: token)
        // Until the first has put the answer on record, the twin has nothing to repeat.
        while life.withLock({ $0.ongoing.waits[token] != nil }) { await Task.yield() }
        return true
    }

    private func waitForEnd(of token: Int) async {
        await withCheckedContinuation { waiter in
            let waits = life.withLock { $0.ongoing.waits[token]?.add(waiter) ?? false }
            if !waits { waiter.resume() }
        }
    }

    /// The answer that the last result has made, or what the session shows by now.
    private func settledAnswer(_ token: Int) async throws(SessionError) -> Snapshot? {
        if let settlement = life.withLock({ $0.ongoing.waits[token]?.answer }),
            let answer = try await settlement.kept()
        {
            return answer
        }
        while true {
            let turn = life.withLock { life in
                let changes = life.ongoing.waits[token]?.changes
                return life.take { live in .settled(live.settle(.success(live.snapshot(changes: changes)))) }
            }
            switch turn as Turn<Snapshot> {
            case .asleep, .known, .undone: try await wake()
            case .settled(let settlement):
                if let snapshot = try await settlement.kept() { return snapshot }
            }
        }
    }

    /// Puts the answer on record, where the client gave a key.
    private func complete(_ token: Int, with answer: Snapshot) async throws(SessionError) -> Snapshot {
        guard let key = life.withLock({ $0.ongoing.waits[token]?.key }) else { return answer }
        let change = JournalChange(.complete(key.answer(answer)), of: id.journalKey)
        await settings.journal.submit(change)?.wait()
        if let failure = change.tail.failure { throw .notRecorded(cause: "\(failure)") }
        return answer
    }
}
