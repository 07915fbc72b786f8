import Synchronization
import Usher
import UsherJournal

extension Session {
    /// If an error says that the session has ended, removes the session from memory, and returns the first answer for
    /// the request's key.
    ///
    /// - Throws: `SessionError`; `outcomeUnknown` if the journal cannot be read, because the input may have had an
    ///   effect.
    func firstAnswer(
        to request: InputRequest, after error: SessionError
    ) async throws(SessionError) -> Snapshot? {
        guard case .ended = error else { return nil }
        settings.leave(self)
        do throws(SessionError) { return try await firstAnswer(to: request) } catch { throw error.withoutLookup }
    }

    /// Returns the first answer for a request's idempotency key, even after the session has ended.
    func firstAnswer(to request: InputRequest) async throws(SessionError) -> Snapshot? {
        guard let key = request.key, let answer = try await storedAnswer(under: key) else { return nil }
        let first: Snapshot
        do throws(SessionError) { first = try key.first(answer, epoch: settings.journal.epoch) } catch {
            guard case .keyReused = error else { throw error }
            throw .keyReused(current: try? await snapshot(for: request.claim))
        }
        guard answer.body.isEmpty else { return first }
        // Without a body, the first request still waits for effects, or its server has crashed. After a crash, the
        // answer is the current state.
        if await waitForTwin(key.text) {
            try await authorizeAgainAfterWait(request.claim)
            return try await firstAnswer(to: request)
        }
        // From here on, no error may say that the input had no effect.
        do throws(SessionError) {
            if let answer = try await waitForOther(under: key, within: request.wait) {
                try await authorizeAgainAfterWait(request.claim)
                return Snapshot(answer, epoch: settings.journal.epoch)
            }
            return try await snapshot(for: request.claim).replayed
        } catch {
            switch error {
            // The client can repeat the request: the journal knows the key, so the input is not handled again.
            case .retired, .onHold: throw error
            default: throw error.asUnknownOutcome
            }
        }
    }

    /// Authorizes a request after a wait, because the request's token may have been replaced in the meantime.
    private func authorizeAgainAfterWait(_ claim: SessionClaim) async throws(SessionError) {
        do throws(SessionError) { try await authorize(claim) } catch { throw error.asUnknownOutcome }
    }

    private func storedAnswer(under key: IdempotencyKey) async throws(SessionError) -> KeyedAnswer? {
        try await settings.ask(await settings.journal.answer(under: key.text, of: id.journalKey))
    }

    /// Waits until another server has written the answer to a request with the same key.
    ///
    /// - Returns: `nil` if no answer was written in time, or if no effect is pending, so that no answer can be waiting.
    private func waitForOther(
        under key: IdempotencyKey, within wait: Duration?
    ) async throws(SessionError) -> KeyedAnswer? {
        guard settings.isShared, let wait else { return nil }
        let end = settings.clock.uptime &+ wait.milliseconds
        while settings.clock.uptime < end, !Task.isCancelled {
            let isPending = try await peek { !$0.pendingEffects.isEmpty }
            if let answer = try await storedAnswer(under: key), !answer.body.isEmpty { return answer }
            guard isPending else { return nil }
            let next = min(end, settings.clock.uptime &+ Self.pollInterval)
            do { try await settings.clock.sleep(untilUptime: next) } catch { return nil }
        }
        return nil
    }

    /// The time between two lookups of another server's answer, in milliseconds.
    private static let pollInterval: Int64 = 200

    /// Rolls a session that cannot be replayed back to an earlier revision, and returns when the rollback is durable.
    func rollBack(to revision: Int) async throws(SessionError) -> Snapshot {
        var isBuilt = false
        let snapshot: Snapshot = try await perform(for: .granted) { turn, _ in
            let isDone = isBuilt
            return use(turn) { awake in
                guard isDone else {
                    let error = SessionError.noRevision("the session is in memory, so there is nothing to roll back")
                    return .answered(awake.pending(.failure(error)))
                }
                return .answered(awake.pending(.success(awake.snapshot()), upon: awake.newest))
            }
        } waking: { () throws(SessionError) in
            // If the tree was already built, it was dropped because the rollback could not be written.
            guard !isBuilt else { throw .notRecorded(cause: "the rollback was not recorded") }
            try await wake(rollingBackTo: revision)
            isBuilt = true
            return nil
        }
        await settings.forgetReplay(of: id)
        return snapshot
    }

    /// Changes the session's tokens.
    ///
    /// If the tokens have changed, restarts the session's streams, so that each client presents its token again.
    ///
    /// - Throws: `SessionError`; the tokens are then unchanged.
    func grant(_ change: TokenChange, for claim: SessionClaim) async throws(SessionError) {
        let access = try await perform(for: claim) { turn, _ in
            use(turn, for: claim) { $0.grant(change) }
        } waking: { () throws(SessionError) in
            noteUse()
            return try await wake()
        }
        settings.watches.note(access, of: id)
    }

    // MARK: Answers that wait

    /// Waits for the effects that an input started, and for the effects that their results started.
    ///
    /// After `duration`, the answer shows the current state. Before the function returns, it checks the claim again.
    func answer(
        to token: Int, within duration: Duration, for claim: SessionClaim
    ) async throws(SessionError) -> Snapshot {
        let over = await locked { $0.work[token]?.over }
        await settings.waits.run(
            within: duration, by: settings.clock, { await over?.wait() },
            endingBy: { [self] in whenFree { $0.work[token]?.end() } })
        defer { forget(token) }
        let answer = try await waitedAnswer(to: token, for: claim)
        try await write(answer, of: token)
        if answer.ending != nil { settings.leave(self) }
        return answer
    }

    /// Removes a waiting answer that was sent, or whose input had no effect, and resumes the requests waiting for it.
    func forget(_ token: Int) {
        whenFree {
            $0.work.remove(token)
        } then: { twins in
            for twin in twins { twin.open(with: ()) }
        }
    }

    /// Waits until another request with the same key has written its answer.
    ///
    /// - Returns: `false` if there is no other request with the key, or if the client has gone.
    private func waitForTwin(_ key: String) async -> Bool {
        let departure = Latch<Void>()
        guard await locked({ $0.work.add(departure, toWaitOf: key) }) else { return false }
        await withTaskCancellationHandler {
            await departure.wait()
        } onCancel: {
            departure.open(with: ())
        }
        return !Task.isCancelled
    }

    /// Writes the answer to the journal, if the request has a key.
    private func write(_ answer: Snapshot, of token: Int) async throws(SessionError) {
        guard let key = await locked({ $0.work[token]?.key }) else { return }
        let change = JournalChange(.complete(key.answer(answer)), of: id.journalKey)
        let result = await settings.journal.submit(change).wait()
        if case .failure(let error) = result { throw SessionError(writing: error) }
    }

    /// Returns the answer that the last effect's result completed; otherwise an answer with the current state.
    private func waitedAnswer(to token: Int, for claim: SessionClaim) async throws(SessionError) -> Snapshot {
        try await perform(for: claim) { turn, losses in
            let found = ifFree(turn) { guarded in
                (answer: guarded.work[token]?.answer, isDenied: guarded.denial(of: claim) != nil)
            }
            guard let found else { return .busy }
            if found.isDenied { return .denied }
            // Only the first attempt uses the completed answer, because the state of an unconfirmed answer is outdated.
            if losses == 0, let answer = found.answer, !answer.commit.hasFailed { return .answered(answer) }
            return use(turn, for: claim) { awake in
                .answered(awake.pending(.success(awake.snapshot(changes: awake.work[token]?.changes))))
            }
        } waking: { () throws(SessionError) in
            noteUse()
            return try await wake()
        }
    }
}
