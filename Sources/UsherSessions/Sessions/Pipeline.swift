import Usher
import UsherFuture
import UsherJournal
import UsherProcess

// The pipeline of an input, from top to bottom; UsherSessions/README.md is the introduction. `SessionRegistry.answer`
// makes the first attempt. For most inputs, this is the only attempt. For all other inputs, `Session.process`
// continues.
//
//  1. make room  `SessionRegistry.answer`: refuses the input while memory is scarce
//  2. find       `SessionRegistry.find`: the session in memory, or a new object for a session in the journal
//  3. enter      `Session.use`: takes the lock, and finds a tree, no tree, the session's end, or `retired`
//  4. authorize  by the tokens that the tree knows; by the journal before a wake and before a refusal (`authorize`)
//  5. wake       `wake(for:)`, if there is no tree: reserves memory; `Session.wake` (Session+Lifetime) replays
//  6. key        `AwakeSession.check`: returns the stored first answer to a key (`firstAnswer`, Session+Requests)
//  7. condition  `AwakeSession.check`: compares the revision with the one that the client requires
//  8. pause      `AwakeSession.pause`: the input after one that broke the tree waits ten times the replay's duration
//  9. judge      `AwakeSession.judge` (SuspectInput): refuses a guilty input; runs a suspect input in isolation first
// 10. apply      `AwakeSession.handle`: checks the quota, and lets the tree handle the input
// 11. append     `RecordWriter.write`: writes the entry, the answer under its key, and the end, as one change
// 12. wait       `awaitAnswer`: until the change is durable, or the journal has confirmed a state that is only read
// 13. retry      `recover`: after a conflict or a failed earlier write, continues at 3, at most eight times
// 14. publish    `Session.publish`: work, watchers, counts, leaks, and the end in memory
// 15. respond    at once, or when the effects that the input started have ended (`Prefer: wait`)
//
// If the first attempt is final, the registry itself performs stages 12 and 14. Requests other than inputs go through
// `perform`, with only the stages enter, authorize, wake, wait and retry. Requests that change tokens (`grant`) or end
// the session also append.
//
// An input "breaks the tree" if the input's handler fails: the process continues, and the tree is rebuilt. An input
// that "ends the process" crashes the server, and is guilty or suspect after the next start. `SessionFlight` marks each
// input in the flight record before the input's handler runs, and `CrashHandler` or `Watchdog` adds the cause of death.
// `FlightControl` reads the marks at the next start, and `Server.init` passes the marks to
// `SessionRegistry.recover(from:)`.

/// An obstacle that must be removed, without holding the lock, before the session can handle an input.
enum InputObstacle: Sendable {
    /// It is unknown whether the journal has an answer for the input's idempotency key.
    case key(KeyLookup)
    /// An earlier input broke the tree, so this input must wait until an uptime.
    case pause(until: Int64)
    /// The input is suspect, and must run isolated before the session handles it.
    indirect case suspect(GuiltyInput.Identity, Entry, after: Entry?)
    /// The input broke the tree; the next attempt handles the input in another way, or the input is rejected.
    ///
    /// The rejection is valid only if the newest commit of the dropped tree succeeds, and if no other server has
    /// written since.
    indirect case brokeTree(Rejection, at: Int, upon: PendingCommit)
    /// The session resumed at an earlier revision, and due timers changed the state that the client saw.
    indirect case resumed(WrittenResumption)
}

/// An input in the pipeline, with the results of its earlier attempts.
struct InputContext: Sendable {
    fileprivate(set) var request: InputRequest
    /// The handling of the input's deep link, or of a waiting link, after an attempt broke the tree.
    fileprivate(set) var link = LinkDecision.follow
    /// The lookup in the journal that found no answer for the input's key.
    fileprivate(set) var lookup: KeyLookup?
    /// The identity of the input, if it did not crash in an isolated run.
    fileprivate(set) var clearedIdentity: GuiltyInput.Identity?
    fileprivate var hasPaused = false

    init(_ request: InputRequest) {
        self.request = request
    }

    /// A Boolean value that indicates whether the input is a timer or the result of the session's own work.
    var isOwn: Bool { request.content.result != nil }

    /// The kind of work for admitting the waking; `nil` for timers, results and messages, which are always admitted.
    fileprivate var admissionForWaking: Admission? { if case .action = request.content { .waking } else { nil } }
}

extension Session {
    /// Handles a user's action or a backend's message, and returns the state after the input.
    ///
    /// - Throws: `SessionError`; the session is then unchanged.
    func handle(
        _ request: InputRequest, from firstAttempt: Attempt<InputOutcome, InputObstacle>? = nil
    ) async throws(SessionError) -> Snapshot {
        var context = InputContext(request)
        let outcome: InputOutcome
        do throws(SessionError) { outcome = try await process(&context, from: firstAttempt) } catch {
            if let earlier = try await firstAnswer(to: request, after: error) { return publish(.replayed(earlier)) }
            publishFailure(error)
            throw request.key == nil ? error : error.withoutLookup
        }
        let snapshot = publish(outcome)
        guard let token = outcome.token, let wait = request.wait else { return snapshot }
        // The input is committed, so no later error may say that the input had no effect.
        do throws(SessionError) { return try await answer(to: token, within: wait, for: request.claim) } catch {
            let failure = error.asUnknownOutcome
            if let earlier = try await firstAnswer(to: request, after: failure) { return earlier }
            throw request.key == nil ? failure : failure.withoutLookup
        }
    }

    /// Attempts an input until its outcome is durable, and removes each obstacle before the next attempt.
    ///
    /// - Throws: `SessionError`, which is the answer.
    func process(
        _ context: inout InputContext, from firstAttempt: Attempt<InputOutcome, InputObstacle>? = nil
    ) async throws(SessionError) -> InputOutcome {
        var reading = Reading()
        var result = firstAttempt ?? attempt(context, .arriving)
        while true {
            if case .busy = result { result = await inTurn { attempt(context, $0) } }
            switch result {
            // Never happens, because `inTurn` does not return `busy`.
            case .busy: break
            case .asleep: if let earlier = try await wake(for: context, &reading) { return .replayed(earlier) }
            case .denied: try await authorizeAgain(context.request.claim)
            case .blocked(.key(let lookup)):
                // Another server may have replaced the token since the tree accepted it.
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

    /// Attempts a request that is not an input until its answer is durable.
    ///
    /// - Parameters:
    ///   - claim: The request's token or right.
    ///   - attempt: Makes an attempt under the lock; receives the number of failed attempts.
    ///   - wake: Called if there is no tree. Returns the version of the record that the closure has read.
    /// - Throws: `SessionError`, which is the answer.
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

    private func attempt(_ context: InputContext, _ turn: LockTurn) -> Attempt<InputOutcome, InputObstacle> {
        // If a coordinator, screen or session ends, its work is cancelled. The result of cancelled work is discarded.
        if context.isOwn, Task.isCancelled { return .answered(PendingAnswer(.failure(.retired))) }
        return use(turn, for: context.request.claim, isUse: !context.isOwn) {
            $0.handle(context.request, link: context.link, lookup: context.lookup, cleared: context.clearedIdentity)
        }
    }

    /// Makes an attempt when the lock is free; the result is never `busy`.
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

    /// Authorizes a request with the tokens in the journal, because the tree's tokens may be missing or outdated.
    ///
    /// Reads the journal once, whether or not the session exists, so that the response time reveals nothing.
    ///
    /// - Throws: `SessionError.denied`, `.unknown`.
    func authorize(_ claim: SessionClaim) async throws(SessionError) {
        guard case .shown = claim else { return }
        guard let head = try await headInJournal() else { throw .unknown }
        if let denial = claim.denial(by: head.header.access) { throw .denied(denial) }
    }

    /// Authorizes a request that the tree has denied again, because the request's token may be newer than the tree.
    private func authorizeAgain(_ claim: SessionClaim) async throws(SessionError) {
        try await authorize(claim)
        await dropTreeIfShared()
    }

    /// Wakes the session for an input, or returns the stored answer for the input's key if this build cannot wake the
    /// session.
    private func wake(
        for context: InputContext, _ reading: inout Reading
    ) async throws(SessionError) -> Snapshot? {
        try await authorize(context.request.claim)
        if !context.isOwn { noteUse() }
        do throws(SessionError) {
            try settings.gate.admit(context.admissionForWaking)
            reading.version = try await wake(as: context.admissionForWaking)
            return nil
        } catch {
            guard error.isUnrestorable, let earlier = try await firstAnswer(to: context.request) else { throw error }
            return earlier
        }
    }

    /// Waits because an earlier input broke the tree.
    ///
    /// - Throws: `SessionError.noRoom` if the request has already waited once.
    private func pause(until end: Int64, _ context: inout InputContext) async throws(SessionError) {
        guard !context.hasPaused else { throw .noRoom }
        context.hasPaused = true
        do { try await settings.clock.sleep(untilUptime: end) } catch {
            throw .notRecorded(cause: "the client has gone")
        }
    }

    /// Runs a suspect input isolated, in a child process.
    ///
    /// - Returns: `true` if the input did not crash the child process; `false` if the input is guilty or the session
    ///   has changed. In both cases, the caller attempts the input again.
    /// - Throws: `SessionError.notTried` if the run had no result; `notRecorded` if the journal did not record the
    ///   result; `onHold` if the replay before the input crashed the child process.
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

    /// Decides how an input that broke the tree is attempted again.
    ///
    /// - Throws: `SessionError` for the answer, if the input is not attempted again.
    private func prepareRetry(
        after rejection: Rejection, at revision: Int, _ context: inout InputContext
    ) async throws(SessionError) {
        if let retry = rejection.retry { return context.link = LinkDecision(retry, at: revision) }
        guard context.isOwn, let refused = try await refusal(of: context.request.content, after: rejection) else {
            throw .rejected(rejection, current: try await snapshot(for: context.request.claim))
        }
        // The new request has no key and no wait, because the result of work has neither.
        (context.request, context.link) = (InputRequest(refused), .follow)
    }

    /// Waits until an answer may be sent, and returns the answer's value; returns `nil` if the caller must attempt the
    /// request again.
    ///
    /// ```
    /// what fails                  who notices        what the client reads         the tree
    /// this change: conflict       the commit         nothing: attempted again [1]  dropped by the next `enter`
    /// this change: outcomeUnknown the commit         504 `outcome-unknown`         dropped by the next `enter`
    /// this change: other error    the commit         503 `journal-unavailable`     dropped by the next `enter`
    /// earlier change: conflict    `waitForFailure`   nothing: attempted again      dropped at once [1]
    /// earlier change: other       the commit         nothing: attempted again      dropped by the next `enter`
    /// confirmation: conflict      `waitForFailure`   nothing: attempted again [2]  dropped at once
    /// confirmation: other error   `waitForFailure`   `SessionError(reading:)`      kept
    /// ```
    ///
    /// "This change" is the change that the answer reports (condition `change`). An answer with the condition `state`
    /// only shows a state that an earlier change wrote. On a shared journal, `JournalPeers.confirm` then also confirms
    /// that the state is still the newest. `Reading.countLoss` allows eight further attempts; then the request fails,
    /// usually with a 503.
    ///
    /// [1] Only on a shared journal; otherwise a conflict is treated like any other error.
    ///
    /// [2] If only the answer's own tree has written since, the answer is sent.
    ///
    /// - Throws: `SessionError`, which is the answer.
    private func awaitAnswer<Value>(
        _ answer: PendingAnswer<Value>, for claim: SessionClaim, _ reading: inout Reading
    ) async throws(SessionError) -> Value? {
        if !reading.covers(answer), let failure = await waitForFailure(of: answer) {
            // The write succeeded; only the confirmation that the state is still the newest failed.
            if answer.condition == .state, answer.commit.hasHappened, failure != .conflict {
                throw SessionError(reading: failure)
            }
            try recover(from: failure, isChange: answer.condition == .change, &reading)
            return nil
        }
        do throws(SessionError) { return try answer.result.get() } catch {
            // Only requests that may read the session may see the tombstone.
            if case .ended(let tombstone) = error, claim.denial(by: tombstone.access) != nil {
                try await authorize(claim)
            }
            throw error
        }
    }

    /// Decides whether a request is attempted again after an error of the journal; see the table at `awaitAnswer`.
    ///
    /// A change is attempted again only after a conflict with another server. After other errors, the change may have
    /// been written, or would fail again. A request without a change is always attempted again.
    ///
    /// - Throws: `SessionError`, which is the answer, if the request is not attempted again.
    private func recover(
        from failure: JournalError, isChange: Bool, _ reading: inout Reading
    ) throws(SessionError) {
        if isChange, !settings.isShared || failure != .conflict { throw SessionError(writing: failure) }
        try reading.countLoss(by: failure, isShared: settings.isShared)
    }

    /// Ends the wait for effects of an answer that will not be sent.
    private func takeBack(_ answer: PendingAnswer<InputOutcome>) {
        if case .success(let outcome) = answer.result, let token = outcome.token { forget(token) }
    }

    /// Waits until an answer may be sent, and drops the tree if another server has written since.
    ///
    /// - Returns: The reason why the answer must not be sent; `nil` if the answer may be sent.
    func waitForFailure<Value>(of answer: PendingAnswer<Value>) async -> JournalError? {
        guard case .failure(let error) = await condition(of: answer).wait() else { return nil }
        guard settings.isShared, answer.condition == .state else { return error }
        if await isOvertakenOnlyByOwnTree(answer) { return nil }
        // Another server has written, so the next attempt must read the record.
        if error == .conflict { await locked { $0.drop(answer.lineage) } }
        return error
    }

    /// Returns the commit to wait for: the answer's own commit, or the journal's confirmation that the answer's state
    /// is the newest.
    func condition<Value>(of answer: PendingAnswer<Value>) -> PendingCommit {
        guard answer.condition == .state, let peers = settings.peers else { return answer.commit }
        return peers.confirm(id.journalKey, upon: answer.commit)
    }

    /// Returns `true` if, since an answer was created, only the tree that created the answer has written.
    ///
    /// The state in the answer was then the newest at some moment during the request.
    private func isOvertakenOnlyByOwnTree<Value>(_ answer: PendingAnswer<Value>) async -> Bool {
        let newest = await locked { $0.state.newest(of: answer.lineage) }
        guard case .success(let version)? = await newest?.wait() else { return false }
        return version != answer.commit.version
    }

    /// Drops the tree if other servers may have written, so that the next attempt reads the record.
    private func dropTreeIfShared() async {
        if settings.isShared { await locked { $0.drop() } }
    }

    /// Returns `true` if a commit has succeeded and its version is still the newest.
    ///
    /// - Throws: `SessionError` if the request is not attempted again.
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

/// The result of an attempt under the session's lock.
enum Attempt<Value: Sendable, Obstacle: Sendable>: Sendable {
    /// The lock is taken, or other requests wait for the lock.
    case busy
    /// There is no tree, so the session must be woken.
    case asleep
    /// The tree denies the request, but its tokens may be outdated, so the journal decides.
    case denied
    case blocked(Obstacle)
    case answered(PendingAnswer<Value>)
}

/// The version that a request has read from the journal, and the number of its failed attempts.
private struct Reading {
    /// The version of the record from which the request itself has built the tree.
    ///
    /// `nil` if the request has not woken the session, or if only this server uses the journal.
    var version: RecordToken?
    private(set) var losses = 0

    /// The largest number of repeated attempts of one request.
    private static let limit = 8

    /// Returns `true` if an answer shows the version that the request itself read; such an answer needs no
    /// confirmation.
    func covers<Value>(_ answer: PendingAnswer<Value>) -> Bool {
        guard let version, answer.condition == .state, case .success(let shown)? = answer.commit.result else {
            return false
        }
        return shown == version
    }

    /// Counts a failed attempt.
    ///
    /// - Throws: `SessionError` if the request is not attempted again.
    mutating func countLoss(by failure: JournalError, isShared: Bool) throws(SessionError) {
        (losses, version) = (losses + 1, nil)
        guard losses > Self.limit else { return }
        guard isShared else { throw SessionError(writing: failure) }
        throw .notRecorded(cause: "other servers changed the session more than \(Self.limit) times during the request")
    }
}

/// The handling of a deep link that an earlier attempt chose.
///
/// Valid for one revision only, because a later input may make the link possible, or replace a waiting link.
struct LinkDecision: Sendable {
    private let handling: LinkHandling
    private let revision: Int

    /// The default: links are followed.
    static let follow = LinkDecision(.follow, at: 0)

    init(_ handling: LinkHandling, at revision: Int) {
        self.handling = handling
        self.revision = revision
    }

    func handling(at revision: Int) -> LinkHandling { revision == self.revision ? handling : .follow }
}
