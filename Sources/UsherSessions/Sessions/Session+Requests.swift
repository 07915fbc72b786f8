import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Handles what a user did.
    ///
    /// - Parameter request: The input, and the conditions under which it counts.
    /// - Returns: The state afterwards.
    /// - Throws: `SessionError`; the session is then as it was.
    package func handle(_ request: InputRequest) async throws(SessionError) -> Snapshot {
        try await finish(request, from: nil)
    }

    /// Does all that a request needs, however long that takes.
    ///
    /// - Parameters:
    ///   - request: The input, and the conditions under which it counts.
    ///   - first: The result of the first attempt; it is made here where nil.
    func finish(
        _ request: InputRequest, from first: Attempt<InputOutcome>?
    ) async throws(SessionError) -> Snapshot {
        let outcome: InputOutcome
        do throws(SessionError) {
            outcome = try await complete(RequestOperation(request: request), from: first)
        } catch {
            if let first = try await firstAnswer(to: request, after: error) { return afterCommit(.replayed(first)) }
            afterFailure(error)
            throw request.key == nil ? error : error.withoutLookup
        }
        let snapshot = afterCommit(outcome)
        guard let token = outcome.token, let wait = request.wait else { return snapshot }
        // The input is counted by now, whatever becomes of the answer that waits.
        do throws(SessionError) { return try await answer(to: token, within: wait, for: request.claim) } catch {
            let failure = error.afterCommit
            if let first = try await firstAnswer(to: request, after: failure) { return first }
            throw request.key == nil ? failure : failure.withoutLookup
        }
    }

    /// The first answer to a request's key where the session is over; nil where another error is the answer.
    private func firstAnswer(
        to request: InputRequest, after error: SessionError
    ) async throws(SessionError) -> Snapshot? {
        guard case .ended = error else { return nil }
        settings.leave(self)
        return try await firstAnswer(to: request)
    }

    /// The first answer to an idempotency key, also once the session is over.
    fileprivate func firstAnswer(to request: InputRequest) async throws(SessionError) -> Snapshot? {
        guard let key = request.key, let answer = try await storedAnswer(under: key) else { return nil }
        let first: Snapshot
        do throws(SessionError) { first = try key.first(answer, epoch: settings.epoch) } catch {
            guard case .keyReused = error else { throw error }
            throw .keyReused(current: try? await snapshot())
        }
        guard answer.body.isEmpty else { return first }
        // The first waits for effects, or its server died meanwhile: then what counts is how the session stands.
        if await waitForTwin(key.text) {
            try await admitAgain(request.claim)
            return try await firstAnswer(to: request)
        }
        if let answer = try await waitForOther(under: key, within: request.wait) {
            try await admitAgain(request.claim)
            return Snapshot(answer, epoch: settings.epoch)
        }
        // The first has happened, whatever keeps this one from an answer.
        do throws(SessionError) { return try await snapshot().replayed } catch {
            if case .retired = error { throw error }
            throw error.afterCommit
        }
    }

    /// Lets a request that has waited have its answer: its token may have been replaced meanwhile.
    private func admitAgain(_ claim: SessionClaim) async throws(SessionError) {
        do throws(SessionError) { try await admit(claim) } catch { throw error.afterCommit }
    }

    private func storedAnswer(under key: IdempotencyKey) async throws(SessionError) -> KeyedAnswer? {
        try await settings.ask { journal throws(JournalError) in
            try await journal.answer(under: key.text, of: id.journalKey)
        }
    }

    /// Waits until another server has written the answer for which a request with the same key waits there.
    ///
    /// - Returns: nil where there is none in time, or nothing that it could wait for.
    private func waitForOther(
        under key: IdempotencyKey, within wait: Duration?
    ) async throws(SessionError) -> KeyedAnswer? {
        guard settings.isShared, let wait else { return nil }
        let end = settings.clock.uptime &+ wait.milliseconds
        while settings.clock.uptime < end, !Task.isCancelled {
            let isPending = try await complete(Look { !$0.pendingEffects.isEmpty })
            if let answer = try await storedAnswer(under: key), !answer.body.isEmpty { return answer }
            guard isPending else { return nil }
            let next = min(end, settings.clock.uptime &+ Self.pollInterval)
            do { try await settings.clock.sleep(untilUptime: next) } catch { return nil }
        }
        return nil
    }

    /// In milliseconds, the time between two looks for another server's answer.
    private static let pollInterval: Int64 = 200

    /// Takes a session that cannot be replayed back to an earlier revision, and goes on from there.
    ///
    /// - Returns: The state there, once that is durable.
    func rollBack(to revision: Int) async throws(SessionError) -> Snapshot {
        let snapshot = try await complete(RollbackOperation(to: revision))
        await settings.forgetReplay(of: id)
        return snapshot
    }

    /// Lets other tokens open the session; its streams begin anew, each with the token that its client has by then.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - claim: The claim by which the request is let in.
    /// - Throws: `SessionError`, and then the tokens are as they were.
    func grant(_ change: TokenChange, for claim: SessionClaim) async throws(SessionError) {
        settings.watches.note(try await complete(GrantOperation(change: change, claim: claim)), of: id)
    }

    // MARK: Answers that wait

    /// Waits until the effects that an input began have come to their end, and those that their results began.
    ///
    /// - Parameters:
    ///   - token: The wait's.
    ///   - duration: The time to wait at most; then the answer is what the session shows by then.
    ///   - claim: The claim by which the request was let in, and by which its answer leaves.
    /// - Returns: The answer, with all that has changed since the input.
    private func answer(
        to token: Int, within duration: Duration, for claim: SessionClaim
    ) async throws(SessionError) -> Snapshot {
        await settings.waits.run(
            within: duration, by: settings.clock, { await waitForEnd(of: token) },
            endingBy: { [self] in whenFree { $0.work[token]?.end() } })
        defer { forget(token) }
        let answer = try await complete(WaitedAnswer(token: token, claim: claim))
        try await write(answer, of: token)
        if answer.ending != nil { settings.leave(self) }
        return answer
    }

    /// Forgets an answer that has left, or whose input has not happened; the twins that wait for it go on.
    fileprivate func forget(_ token: Int) {
        whenFree {
            $0.work.remove(token)
        } then: { twins in
            for twin in twins { twin.open(with: ()) }
        }
    }

    /// Waits until another request with the same key has written the answer that it waits for.
    ///
    /// - Returns: False where there was none, or where the client has gone.
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

    private func waitForEnd(of token: Int) async {
        await withCheckedContinuation { waiter in
            whenFree {
                $0.work[token]?.add(waiter) ?? false
            } then: { waits in
                if !waits { waiter.resume() }
            }
        }
    }

    /// Writes the answer to the journal, where the client gave a key.
    private func write(_ answer: Snapshot, of token: Int) async throws(SessionError) {
        guard let key = await locked({ $0.work[token]?.key }) else { return }
        let change = JournalChange(.complete(key.answer(answer)), of: id.journalKey)
        if case .failure(let error) = await settings.submit(change).wait() { throw SessionError(writing: error) }
    }
}

/// A request with an input of a user's or a backend's.
private struct RequestOperation: SessionOperation {
    let request: InputRequest
    private var link = LinkDecision.none
    private var lookup: KeyLookup?
    private var acquitted: GuiltyInput.Identity?

    var claim: SessionClaim { request.claim }

    init(request: InputRequest) {
        self.request = request
    }

    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<InputOutcome> {
        session.use(turn, for: request.claim) { $0.handle(request, link: link, lookup: lookup, acquitted: acquitted) }
    }

    /// A key's first answer is there also where this build cannot wake the session.
    func wake(_ session: Session) async throws(SessionError) -> InputOutcome? {
        do throws(SessionError) {
            let work: Admission? = if case .action = request.content { .waking } else { nil }
            if let work { try session.settings.admit(work) }
            try await session.wake(as: work)
            return nil
        } catch {
            guard error.isUnrestorable, let first = try? await session.firstAnswer(to: request) else {
                throw error
            }
            return .replayed(first)
        }
    }

    /// An input that has not happened has begun nothing that its answer could wait for.
    func takeBack(_ outcome: InputOutcome, in session: Session) {
        if let token = outcome.token { session.forget(token) }
    }

    mutating func lookUp(_ lookup: KeyLookup, in session: Session) async throws(SessionError) -> InputOutcome? {
        if let first = try await session.firstAnswer(to: request) { return .replayed(first) }
        self.lookup = lookup
        return nil
    }

    mutating func acquit(_ input: GuiltyInput.Identity) {
        acquitted = input
    }

    mutating func retry(
        after rejection: Rejection, upon revision: Int, on session: Session
    ) async throws(SessionError) {
        guard let retry = rejection.retry else { throw .rejected(rejection, current: try await session.snapshot()) }
        link = LinkDecision(retry, at: revision)
    }
}

/// The answer that the last result has made to an input that waited, or what the session shows by now.
private struct WaitedAnswer: SessionOperation {
    let token: Int
    let claim: SessionClaim
    /// Set once the journal did not confirm the answer: it is what the session shows by then.
    private var isOutdated = false

    init(token: Int, claim: SessionClaim) {
        self.token = token
        self.claim = claim
    }

    mutating func lose() { isOutdated = true }

    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<Snapshot> {
        let found = session.ifFree(turn) { guarded in
            (answer: guarded.work[token]?.answer, isDenied: guarded.denial(of: claim) != nil)
        }
        guard let found else { return .busy }
        if found.isDenied { return .denied }
        if !isOutdated, let answer = found.answer, !answer.commit.hasFailed { return .answered(answer) }
        return session.use(turn, for: claim) { awake in
            .answered(awake.pending(.success(awake.snapshot(changes: awake.work[token]?.changes))))
        }
    }
}

/// A rollback: the waking of a session at an earlier revision.
private struct RollbackOperation: SessionOperation {
    private let revision: Int
    private var isDone = false

    init(to revision: Int) {
        self.revision = revision
    }

    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<Snapshot> {
        session.use(turn) { awake in
            let result: Result<Snapshot, SessionError> =
                isDone
                ? .success(awake.snapshot())
                : .failure(.noRevision("the session is in memory, and goes on as it is"))
            return .answered(awake.pending(result, upon: isDone ? awake.newest : nil))
        }
    }

    mutating func wake(_ session: Session) async throws(SessionError) -> Snapshot? {
        // The tree that was built has been dropped, for its record was not made durable.
        guard !isDone else { throw .notRecorded(cause: "the rollback was not recorded") }
        try await session.wake(rollingBackTo: revision)
        isDone = true
        return nil
    }
}

/// A change of the tokens that open a session.
private struct GrantOperation: SessionOperation {
    let change: TokenChange
    let claim: SessionClaim

    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<SessionAccess?> {
        session.use(turn, for: claim) { $0.grant(change) }
    }
}
