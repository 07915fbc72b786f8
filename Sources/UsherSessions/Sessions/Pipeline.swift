import Usher
import UsherFuture
import UsherJournal
import UsherProcess

// What happens to an input, from top to bottom. `SessionRegistry.answer` makes the first attempt. Most inputs need only that
// one; for the others `Session.process` continues.
//
//  1. make room  `SessionRegistry.answer`: refused while memory is scarce
//  2. find       `SessionRegistry.find`: the session in memory, or a new object for one that is in the journal alone
//  3. enter      `Session.use`: takes the lock, and finds a tree, no tree, the session's end, or that it has left memory
//  4. authorize  by the tokens that the tree knows; before a wake and before a refusal by the journal (`authorize`)
//  5. wake       `wake(for:)` if there is no tree: makes sure of memory, and `Session.wake` (Session+Lifetime) replays the record
//  6. key        `AwakeSession.check`: the first answer to a key is given again (`firstAnswer`, Session+Requests)
//  7. condition  `AwakeSession.check`: the revision that the client asks for
//  8. pause      `AwakeSession.pause`: after an input that broke the tree, the next waits ten times as long as its replay
//  9. judge      `AwakeSession.judge` (SuspectInput): a guilty input is refused; a suspect runs isolated first. How the
//                server learns of them after a crash is in SessionRegistry+Crashes
// 10. apply      `AwakeSession.handle`: the quota is checked, and the tree handles the input
// 11. append     `RecordWriter.write`: entry, answer under its key, and end, as one change
// 12. wait       until that is durable; a state that is only shown is confirmed with the other servers (`awaitAnswer`)
// 13. retry      if another server was first: `recover` allows it at most eight times, the next `enter` drops the tree, and
//                all begins again at 3
// 14. publish    `Session.publish`: work, watchers, counts, leaks, and the end in memory
// 15. respond    at once, or once the effects that it began have come to their end (`Prefer: wait`)
//
// If the first attempt is final, the registry does stages 12 and 14 itself. All that is no input goes through `perform`: it
// enters, authorizes, wakes, waits and retries. Grants and ends also append.

/// Something that keeps an input from being handled, and that has to be resolved outside the lock.
enum InputObstacle: Sendable {
    /// Its idempotency key may have an answer, which has to be looked up in the journal.
    case key(KeyLookup)
    /// An earlier input broke the tree, so inputs wait until a time, by the clock's uptime.
    case pause(until: Int64)
    /// It is suspect: it has to run isolated before it is handled.
    indirect case suspect(GuiltyInput.Identity, Entry, after: Entry?)
    /// It broke the tree, which was dropped. It is retried in another way, or rejected; the rejection counts only if the
    /// commit has become durable and has led to the newest version.
    indirect case brokeTree(Rejection, at: Int, upon: PendingCommit)
    /// The session has resumed at an earlier revision, and timers that came with that have changed what the client saw.
    indirect case resumed(WrittenResumption)
}

/// An input on its way through the pipeline, and what its earlier attempts have found out.
struct InputContext: Sendable {
    /// The input, and the conditions under which it counts.
    fileprivate(set) var request: InputRequest
    /// How its deep link is handled, or the one that waits, as an attempt that broke the tree has found out.
    fileprivate(set) var link = LinkDecision.follow
    /// The look-up that found no answer to its key.
    fileprivate(set) var lookup: KeyLookup?
    /// The input that has survived an isolated run.
    fileprivate(set) var clearedIdentity: GuiltyInput.Identity?
    fileprivate var hasPaused = false

    init(_ request: InputRequest) {
        self.request = request
    }

    /// A Boolean value indicating whether it is the result of the session's own work, or a timer.
    var isOwn: Bool { request.content.result != nil }

    /// The work for which there must be memory before the session is woken; nil for timers, results and messages of
    /// backends, which are never refused.
    fileprivate var admissionForWaking: Admission? { if case .action = request.content { .waking } else { nil } }
}

extension Session {
    /// Handles what a user did, or what a backend tells.
    ///
    /// - Parameters:
    ///   - request: The input, and the conditions under which it counts.
    ///   - first: The result of the first attempt; it is made here where nil.
    /// - Returns: The state afterwards.
    /// - Throws: `SessionError`; the session is then as it was.
    package func handle(_ request: InputRequest) async throws(SessionError) -> Snapshot {
        try await handle(request, from: nil)
    }

    func handle(
        _ request: InputRequest, from firstAttempt: Attempt<InputOutcome, InputObstacle>?
    ) async throws(SessionError) -> Snapshot {
        let outcome: InputOutcome
        do throws(SessionError) { outcome = try await process(request, from: firstAttempt) } catch {
            if let earlier = try await firstAnswer(to: request, after: error) { return publish(.replayed(earlier)) }
            publishFailure(error)
            throw request.key == nil ? error : error.withoutLookup
        }
        let snapshot = publish(outcome)
        guard let token = outcome.token, let wait = request.wait else { return snapshot }
        // The input is committed: from here on no error may say that it has not happened.
        do throws(SessionError) { return try await answer(to: token, within: wait, for: request.claim) } catch {
            let failure = error.asUnknownOutcome
            if let earlier = try await firstAnswer(to: request, after: failure) { return earlier }
            throw request.key == nil ? failure : failure.withoutLookup
        }
    }

    /// Attempts an input until its outcome is durable, and resolves what is in its way.
    ///
    /// - Parameters:
    ///   - request: The input, and the conditions under which it counts.
    ///   - firstAttempt: The result of the first attempt; it is made here where nil.
    /// - Throws: `SessionError`, the answer.
    func process(
        _ request: InputRequest, from firstAttempt: Attempt<InputOutcome, InputObstacle>? = nil
    ) async throws(SessionError) -> InputOutcome {
        var context = InputContext(request)
        return try await process(&context, from: firstAttempt)
    }

    /// The same for an input that was attempted before, and keeps what was found out.
    func process(
        _ context: inout InputContext, from firstAttempt: Attempt<InputOutcome, InputObstacle>? = nil
    ) async throws(SessionError) -> InputOutcome {
        var reading = Reading()
        var result = firstAttempt ?? attempt(context, .arriving)
        while true {
            if case .busy = result { result = await inTurn { attempt(context, $0) } }
            switch result {
            // Not after its turn.
            case .busy: break
            case .asleep: if let earlier = try await wake(for: context, &reading) { return .replayed(earlier) }
            case .denied: try await authorizeAgain(context.request.claim)
            case .blocked(.key(let lookup)):
                // The tree that has let the request in may have tokens that another server has replaced.
                if settings.isShared { try await authorize(context.request.claim) }
                if let earlier = try await firstAnswer(to: context.request) { return .replayed(earlier) }
                context.lookup = lookup
            case .blocked(.pause(let end)): try await pause(until: end, &context)
            case .blocked(.suspect(let identity, let input, let unwritten)):
                if try await runIsolated(input, after: unwritten, as: identity) { context.clearedIdentity = identity }
            case .blocked(.resumed(let resumption)):
                if let failure = await begin(resumption) { try recover(from: failure, isChange: true, &reading) }
            case .blocked(.brokeTree(let rejection, let revision, let commit)):
                if try await isNewest(commit, &reading) {
                    try await prepareRetry(after: rejection, at: revision, &context)
                }
            case .answered(let answer):
                do throws(SessionError) {
                    if let outcome = try await awaitAnswer(answer, for: context.request.claim, &reading) {
                        return outcome
                    }
                    takeBack(answer)
                } catch {
                    takeBack(answer)
                    throw error
                }
            }
            result = attempt(context, .arriving)
        }
    }

    /// Attempts something other than an input until its answer is durable.
    ///
    /// - Parameters:
    ///   - claim: The claim by which it is let in.
    ///   - attempt: Attempts it under the lock; is told how many attempts were lost so far.
    ///   - wake: Does what is to be done if there is no tree, and returns the version of the record that it has read for that.
    /// - Throws: `SessionError`, the answer.
    func perform<Value: Sendable>(
        for claim: SessionClaim, _ attempt: (_ turn: LockTurn, _ losses: Int) -> Attempt<Value, Never>,
        waking wake: () async throws(SessionError) -> RecordToken?
    ) async throws(SessionError) -> Value {
        var reading = Reading()
        while true {
            let count = reading.losses
            var result = attempt(.arriving, count)
            if case .busy = result { result = await inTurn { attempt($0, count) } }
            switch result {
            // Not after its turn.
            case .busy: break
            case .asleep:
                try await authorize(claim)
                reading.version = try await wake()
            case .denied: try await authorizeAgain(claim)
            case .answered(let answer):
                if let value = try await awaitAnswer(answer, for: claim, &reading) { return value }
            }
        }
    }

    // MARK: The stages

    /// Attempts an input under the lock.
    private func attempt(_ context: InputContext, _ turn: LockTurn) -> Attempt<InputOutcome, InputObstacle> {
        // Its work was cancelled, because its coordinator, its screen or the session has gone: the result is discarded.
        if context.isOwn, Task.isCancelled { return .answered(PendingAnswer(.failure(.retired))) }
        return use(turn, for: context.request.claim, isUse: !context.isOwn) {
            $0.handle(context.request, link: context.link, lookup: context.lookup, cleared: context.clearedIdentity)
        }
    }

    /// Makes an attempt once the lock is free.
    ///
    /// - Returns: Its result, which is not `busy`.
    private func inTurn<Value, Obstacle>(
        _ attempt: (LockTurn) -> Attempt<Value, Obstacle>
    ) async -> Attempt<Value, Obstacle> {
        var turn = LockTurn.arriving
        while true {
            await waitForTurn(turn)
            turn = .called
            let result = attempt(turn)
            if case .busy = result { continue }
            queue.endTurn()
            return result
        }
    }

    /// Authorizes a request by the journal: before the session is woken, before a refusal, and before a delayed answer leaves.
    ///
    /// It reads once whether there is the session or not, so that the time of the response does not tell.
    ///
    /// - Throws: `SessionError.denied`, `.unknown`.
    func authorize(_ claim: SessionClaim) async throws(SessionError) {
        guard case .shown = claim else { return }
        guard let head = try await headInJournal() else { throw .unknown }
        if let denial = claim.denial(by: head.header.access) { throw .denied(denial) }
    }

    /// Authorizes a request that the tree has denied: its token may be newer than the tree.
    private func authorizeAgain(_ claim: SessionClaim) async throws(SessionError) {
        try await authorize(claim)
        await dropTreeIfShared()
    }

    /// Wakes the session for an input.
    ///
    /// - Returns: nil if the session was woken; the first answer to the input's key, if this build cannot wake it.
    private func wake(
        for context: InputContext, _ reading: inout Reading
    ) async throws(SessionError) -> Snapshot? {
        try await authorize(context.request.claim)
        if !context.isOwn { noteUse() }
        do throws(SessionError) {
            if let work = context.admissionForWaking { try settings.admit(work) }
            reading.version = try await wake(as: context.admissionForWaking)
            return nil
        } catch {
            guard error.isUnrestorable, let earlier = try await firstAnswer(to: context.request) else { throw error }
            return earlier
        }
    }

    /// Waits until the session has paid for a replay; once, because inputs before may break the tree again and again.
    ///
    /// - Throws: `SessionError.noRoom` the second time.
    private func pause(until end: Int64, _ context: inout InputContext) async throws(SessionError) {
        guard !context.hasPaused else { throw .noRoom }
        context.hasPaused = true
        do { try await settings.clock.sleep(untilUptime: end) } catch {
            throw .notRecorded(cause: "the client has gone")
        }
    }

    /// Runs a suspect input isolated, in a child process.
    ///
    /// - Returns: True if it has survived; false if it is guilty now, or the session has changed: then it is attempted again.
    /// - Throws: `SessionError.notTried` if nothing came of the run, `notRecorded` if the journal did not take the result,
    ///   `onHold` if the child process died in the replay already.
    private func runIsolated(
        _ input: Entry, after unwritten: Entry?, as identity: GuiltyInput.Identity
    ) async throws(SessionError) -> Bool {
        if let crash = settings.guilty.replay(of: id.journalKey) { throw .onHold(HoldReason(crash)) }
        let record = try await settings.liveRecord(of: id)
        let newest = record.head.revision + (unwritten == nil ? 0 : 1)
        guard newest + 1 == input.revision else {
            await dropTreeIfShared()
            return false
        }
        let entries = record.entries + [unwritten].compactMap(\.self)
        let run = IsolatedRun(of: id, record.head.app, entries, input: input)
        guard let guilty = try await settings.run(run, for: identity) else { return true }
        if guilty.identity.kind == .replay { throw .onHold(HoldReason(guilty)) }
        return false
    }

    /// Decides how an input that broke the tree is retried.
    ///
    /// - Throws: `SessionError`, the answer, if it is not retried.
    private func prepareRetry(
        after rejection: Rejection, at revision: Int, _ context: inout InputContext
    ) async throws(SessionError) {
        if let retry = rejection.retry { return context.link = LinkDecision(retry, at: revision) }
        guard context.isOwn, let refused = try await refusal(of: context.request.content, after: rejection) else {
            throw .rejected(rejection, current: try await snapshot(for: context.request.claim))
        }
        // A result has no key and waits for nothing.
        (context.request, context.link) = (InputRequest(refused), .follow)
    }

    /// Waits for an answer.
    ///
    /// - Returns: The value; nil if the request is attempted again, because another server was first, or because the answer
    ///   shows a state that is not the newest or was never committed.
    /// - Throws: `SessionError`, the answer.
    private func awaitAnswer<Value>(
        _ answer: PendingAnswer<Value>, for claim: SessionClaim, _ reading: inout Reading
    ) async throws(SessionError) -> Value? {
        if !reading.covers(answer), let failure = await waitForFailure(of: answer) {
            // The commit has succeeded; only the confirmation that its state is still the newest has failed.
            if answer.condition == .state, answer.commit.hasHappened, failure != .conflict {
                throw SessionError(reading: failure)
            }
            try recover(from: failure, isChange: answer.condition == .change, &reading)
            return nil
        }
        do throws(SessionError) { return try answer.result.get() } catch {
            // A tombstone is shown only to those who may read it.
            if case .ended(let tombstone) = error, claim.denial(by: tombstone.access) != nil {
                try await authorize(claim)
            }
            throw error
        }
    }

    /// Decides whether a request is retried after a failed write.
    ///
    /// The next attempt that enters the session drops the tree (`SessionState.enter`).
    ///
    /// A change is retried only after a conflict: after any other error it may have been written, or would fail again. What
    /// changes nothing is always retried.
    ///
    /// - Throws: `SessionError`, the answer, if the request is not retried.
    private func recover(
        from failure: JournalError, isChange: Bool, _ reading: inout Reading
    ) throws(SessionError) {
        if isChange, !settings.isShared || failure != .conflict { throw SessionError(writing: failure) }
        try reading.countLoss(by: failure, isShared: settings.isShared)
    }

    /// Forgets that an answer waits for the effects of its input, because that answer is not given.
    private func takeBack(_ answer: PendingAnswer<InputOutcome>) {
        if case .success(let outcome) = answer.result, let token = outcome.token { forget(token) }
    }

    /// Waits until an answer may leave, and drops a tree that another server has overtaken.
    ///
    /// - Returns: Why the answer must not leave; nil if it may.
    func waitForFailure<Value>(of answer: PendingAnswer<Value>) async -> JournalError? {
        guard case .failure(let error) = await condition(of: answer).wait() else { return nil }
        guard settings.isShared, answer.condition == .state else { return error }
        if await isOvertakenOnlyByOwnTree(answer) { return nil }
        // The tree goes, because other servers have written.
        if error == .conflict { await locked { $0.drop(answer.lineage) } }
        return error
    }

    /// What an answer waits for: its own commit, or the confirmation of the journal that the state it shows is the newest.
    func condition<Value>(of answer: PendingAnswer<Value>) -> PendingCommit {
        guard answer.condition == .state, let peers = settings.peers else { return answer.commit }
        return peers.confirm(id.journalKey, upon: answer.commit)
    }

    /// Returns a Boolean value indicating whether only the answer's own tree has written since: then the state that it shows
    /// was the newest at some moment of the request.
    private func isOvertakenOnlyByOwnTree<Value>(_ answer: PendingAnswer<Value>) async -> Bool {
        let newest = await locked { $0.state.newest(of: answer.lineage) }
        guard case .success(let version)? = await newest?.wait() else { return false }
        return version != answer.commit.version
    }

    /// Drops the tree if other servers may have written, so that the next attempt reads the record.
    private func dropTreeIfShared() async {
        if settings.isShared { await locked { $0.drop() } }
    }

    /// Finds out whether a commit has succeeded and has led to the newest version.
    ///
    /// If not, an attempt that built upon it has found out nothing.
    ///
    /// - Throws: `SessionError`, if the request is not retried.
    private func isNewest(
        _ commit: PendingCommit, _ reading: inout Reading
    ) async throws(SessionError) -> Bool {
        switch await commit.wait() {
        case .success(let version):
            if !settings.isShared { return true }
            if try await self.version() == version { return true }
            try recover(from: .conflict, isChange: false, &reading)
        case .failure(let error): try recover(from: error, isChange: false, &reading)
        }
        return false
    }
}

/// How one attempt under the session's lock has ended.
enum Attempt<Value: Sendable, Obstacle: Sendable>: Sendable {
    /// Another has the lock, or waits for it: the attempt is made once it is free.
    case busy
    /// There is no tree: the session has to be woken first.
    case asleep
    /// By what the tree knows, the request is not let in: the journal decides.
    case denied
    /// Something is in the way that has to be removed outside the lock.
    case blocked(Obstacle)
    /// There is an answer.
    case answered(PendingAnswer<Value>)
}

/// What a request has read itself, and the attempts that it has lost to other servers, or to writes that failed before it.
private struct Reading {
    /// The version of the record that the request has woken the session by; nil if it has not, or if one server alone writes.
    var version: RecordToken?
    private(set) var losses = 0

    /// The retries of one request at most.
    private static let limit = 8

    /// Returns a Boolean value indicating whether an answer shows what the request has read itself: that needs no other
    /// confirmation, unless the tree has handled an input since.
    func covers<Value>(_ answer: PendingAnswer<Value>) -> Bool {
        guard let version, answer.condition == .state, case .success(let shown)? = answer.commit.result else {
            return false
        }
        return shown == version
    }

    /// Counts an attempt that was lost.
    ///
    /// - Parameters:
    ///   - failure: The reason.
    ///   - isShared: Set if several servers write.
    /// - Throws: `SessionError`, if the request is not retried.
    mutating func countLoss(by failure: JournalError, isShared: Bool) throws(SessionError) {
        (losses, version) = (losses + 1, nil)
        guard losses > Self.limit else { return }
        guard isShared else { throw SessionError(writing: failure) }
        throw .notRecorded(cause: "other servers have changed the session more than \(Self.limit) times meanwhile")
    }
}

/// How a deep link is handled, as an attempt has found out.
///
/// It holds at one revision alone: a later input may have made the link possible, or may have replaced the link that waits.
struct LinkDecision: Sendable {
    private let handling: LinkHandling
    private let revision: Int

    /// Nothing was found out: links are followed.
    static let follow = LinkDecision(.follow, at: 0)

    init(_ handling: LinkHandling, at revision: Int) {
        self.handling = handling
        self.revision = revision
    }

    /// How the link of an input is handled that comes upon a revision.
    func handling(at revision: Int) -> LinkHandling { revision == self.revision ? handling : .follow }
}
