import Usher
import UsherFuture
import UsherJournal
import UsherProcess

// What happens to an input, from top to bottom. `SessionRegistry.answer` takes it from the server, and makes the first
// attempt itself, because most inputs need no other:
//
//  1. admit      `SessionRegistry.answer`: refused while memory is scarce
//  2. find       `SessionRegistry.find`: the session in memory, or a new object for one that sleeps
//  3. enter      `Session.use`: takes the lock; what there is: a tree, none, or the session's end
//  4. authorize  by the tokens that the tree knows, else by the journal (`admit`)
//  5. wake       if there is no tree: `Session.wake` reads the record and replays it
//  6. key        `AwakeSession.check`: the first answer to an idempotency key is given again (`firstAnswer`)
//  7. condition  `AwakeSession.check`: the revision that the client asks for
//  8. pause      an input before has broken the tree, and the session pays for the replay
//  9. judge      `AwakeSession.judge`: an input that ended the process is refused; a suspect runs isolated first
// 10. apply      `AwakeSession.handle`: the tree handles it
// 11. append     `RecordWriter.write`: entry, answer under its key, and end, as one change
// 12. wait       `settle`: until that is durable; a state is also confirmed with the other servers
// 13. retry      `settle`: another server was first, so the record is read anew and the input handled again
// 14. publish    `Session.afterCommit`: work, watchers, counts, leaks, and the end in memory
// 15. respond    at once, or once the effects that it began have come to their end (`Prefer: wait`)
//
// Looks, grants, rollbacks and ends need stages 3 to 5 and 12 to 13 alone: `perform`.

/// Something that keeps an input from being handled under the lock.
enum InputObstacle: Sendable {
    /// Its idempotency key may have an answer, which has to be looked up in the journal.
    case key(KeyLookup)
    /// An input has broken the tree before: inputs wait until a time, by the clock's uptime.
    case pause(until: Int64)
    /// It is suspect: it has to run isolated before it is handled.
    indirect case suspect(GuiltyInput.Identity, Entry)
    /// It broke the tree, which was dropped. Either it is handled again in another way, or the rejection is the answer: a
    /// truth about this revision, and about the version to which the commit leads.
    indirect case broke(Rejection, at: Int, upon: PendingCommit)
}

/// An input on its way through the pipeline, and what its attempts have found out.
struct InputContext: Sendable {
    /// The input, and the conditions under which it counts.
    fileprivate(set) var request: InputRequest
    /// The handling of its link.
    fileprivate(set) var link = LinkDecision.none
    /// The look-up that found no answer to its key.
    fileprivate(set) var lookup: KeyLookup?
    /// The input that has survived an isolated run.
    fileprivate(set) var cleared: GuiltyInput.Identity?
    fileprivate var losses = LostAttempts()

    init(_ request: InputRequest) {
        self.request = request
    }

    /// A Boolean value indicating whether it is the result of the session's own work, or a timer.
    var isOwn: Bool { request.content.result != nil }

    /// The kind of work that it is if the session has to be woken for it; nil if that is never refused.
    fileprivate var waking: Admission? { if case .action = request.content { .waking } else { nil } }
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
        _ request: InputRequest, from first: Attempt<InputOutcome, InputObstacle>?
    ) async throws(SessionError) -> Snapshot {
        let outcome: InputOutcome
        do throws(SessionError) { outcome = try await process(request, from: first) } catch {
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

    /// Attempts an input until its outcome is durable, and removes what is in its way.
    ///
    /// - Parameters:
    ///   - request: The input, and the conditions under which it counts.
    ///   - first: The result of the first attempt; it is made here where nil.
    /// - Throws: `SessionError`, the answer.
    func process(
        _ request: InputRequest, from first: Attempt<InputOutcome, InputObstacle>? = nil
    ) async throws(SessionError) -> InputOutcome {
        var context = InputContext(request)
        var attempt = first ?? attempt(context, .arriving)
        while true {
            if case .busy = attempt { attempt = await inTurn { self.attempt(context, $0) } }
            switch attempt {
            case .busy: break
            case .asleep: if let first = try await wake(for: context) { return .replayed(first) }
            case .denied: try await askAgain(context.request.claim)
            case .blocked(.key(let lookup)):
                if let first = try await firstAnswer(to: request) { return .replayed(first) }
                context.lookup = lookup
            case .blocked(.pause(let end)): try await pause(until: end)
            case .blocked(.suspect(let identity, let input)):
                if try await survives(input, as: identity) { context.cleared = identity }
            case .blocked(.broke(let rejection, let revision, let commit)):
                guard try await isNewest(commit, &context.losses) else { break }
                try await decide(after: rejection, at: revision, &context)
            case .answered(let answer):
                do throws(SessionError) {
                    if let outcome = try await settle(answer, for: context.request.claim, &context.losses) {
                        return outcome
                    }
                    takeBack(answer)
                } catch {
                    takeBack(answer)
                    throw error
                }
            }
            attempt = self.attempt(context, .arriving)
        }
    }

    /// Attempts something other than an input until its answer is durable.
    ///
    /// - Parameters:
    ///   - claim: The claim by which it is let in.
    ///   - attempt: Attempts it under the lock; is told how many attempts were lost to other servers.
    ///   - wake: Does what is to be done if there is no tree.
    /// - Throws: `SessionError`, the answer.
    func perform<Value: Sendable>(
        for claim: SessionClaim, _ attempt: (_ turn: LockTurn, _ losses: Int) -> Attempt<Value, Never>,
        waking wake: () async throws(SessionError) -> Void
    ) async throws(SessionError) -> Value {
        var losses = LostAttempts()
        while true {
            let count = losses.count
            var result = attempt(.arriving, count)
            if case .busy = result { result = await inTurn { attempt($0, count) } }
            switch result {
            case .busy: break
            case .asleep:
                try await admit(claim)
                try await wake()
            case .denied: try await askAgain(claim)
            case .answered(let answer):
                if let value = try await settle(answer, for: claim, &losses) { return value }
            }
        }
    }

    // MARK: The stages

    /// Attempts an input under the lock.
    private func attempt(_ context: InputContext, _ turn: LockTurn) -> Attempt<InputOutcome, InputObstacle> {
        // The coordinator, the screen or the session that a result is for has gone: it lands nowhere.
        if context.isOwn, Task.isCancelled { return .answered(PendingAnswer(.failure(.retired))) }
        return use(turn, for: context.request.claim, isUse: !context.isOwn) {
            $0.handle(context.request, link: context.link, lookup: context.lookup, cleared: context.cleared)
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

    /// Lets a request in by what the journal knows of the session: before it is woken for it, or denied, and after a wait.
    ///
    /// One look at the journal whether there is the session or not, so that its time does not tell.
    ///
    /// - Throws: `SessionError.denied`, `.unknown`.
    func admit(_ claim: SessionClaim) async throws(SessionError) {
        if case .granted = claim { return }
        guard let head = try await headInJournal() else { throw .unknown }
        if let denial = claim.denial(by: head.header.access) { throw .denied(denial) }
    }

    /// Asks the journal whether a request is let in that the tree has denied: another server may have given the token.
    private func askAgain(_ claim: SessionClaim) async throws(SessionError) {
        try await admit(claim)
        await dropTree()
    }

    /// Wakes the session for an input.
    ///
    /// - Returns: The first answer to its key, if this build cannot wake the session; else nil.
    private func wake(for context: InputContext) async throws(SessionError) -> Snapshot? {
        try await admit(context.request.claim)
        if !context.isOwn { noteUse() }
        do throws(SessionError) {
            if let work = context.waking { try settings.admit(work) }
            try await wake(as: context.waking)
            return nil
        } catch {
            guard error.isUnrestorable, let first = try await firstAnswer(to: context.request) else { throw error }
            return first
        }
    }

    private func pause(until end: Int64) async throws(SessionError) {
        do { try await settings.clock.sleep(untilUptime: end) } catch {
            throw .notRecorded(cause: "the client has gone")
        }
    }

    /// Runs a suspect input isolated.
    ///
    /// - Returns: True if it survives; else it is guilty by now, or the session has moved on.
    /// - Throws: `SessionError.notTried` if nothing came of the run, `notRecorded` if the journal did not take the result,
    ///   `onHold` if the child did not even come to the input.
    private func survives(_ input: Entry, as identity: GuiltyInput.Identity) async throws(SessionError) -> Bool {
        let record = try await settings.liveRecord(of: id)
        guard record.head.revision + 1 == input.revision else {
            await dropTree()
            return false
        }
        let run = IsolatedRun(of: id, record.head.app, record.entries, input: input)
        guard let guilty = try await settings.run(run, for: identity) else { return true }
        if guilty.identity.kind == .replay { throw .onHold(HoldReason(guilty)) }
        return false
    }

    /// Decides how an input is handled again that has broken the tree.
    ///
    /// - Throws: `SessionError`, the answer, if it is not handled again.
    private func decide(
        after rejection: Rejection, at revision: Int, _ context: inout InputContext
    ) async throws(SessionError) {
        if let retry = rejection.retry { return context.link = LinkDecision(retry, at: revision) }
        guard context.isOwn, let refused = try await refusal(of: context.request.content, after: rejection) else {
            throw .rejected(rejection, current: try await snapshot())
        }
        (context.request, context.link) = (InputRequest(refused), .none)
    }

    /// Waits until an answer may leave.
    ///
    /// - Returns: The value; nil if the attempt is made again, because the state that it shows is not the newest, or
    ///   because another server was first.
    /// - Throws: `SessionError`, the answer.
    private func settle<Value>(
        _ answer: PendingAnswer<Value>, for claim: SessionClaim, _ losses: inout LostAttempts
    ) async throws(SessionError) -> Value? {
        if let failure = await failure(of: answer) {
            // What it shows is durable, but the journal cannot say whether it is still the newest state.
            if answer.condition == .state, answer.commit.hasHappened, failure != .conflict {
                throw SessionError(reading: failure)
            }
            try recover(from: failure, isChange: answer.condition == .change, &losses)
            return nil
        }
        do throws(SessionError) { return try answer.result.get() } catch {
            if case .ended(let tombstone) = error, claim.denial(by: tombstone.access) != nil { try await admit(claim) }
            throw error
        }
    }

    /// Decides what a lost write means for a request: the tree goes when the next attempt enters the session.
    ///
    /// A change is made again only if another server was first, because any other change may have happened, or would fail
    /// again. All else changes nothing, and is made again.
    ///
    /// - Throws: `SessionError`, the answer, if the request is not made again.
    private func recover(
        from failure: JournalError, isChange: Bool, _ losses: inout LostAttempts
    ) throws(SessionError) {
        if isChange, !settings.isShared || failure != .conflict { throw SessionError(writing: failure) }
        try losses.add(failure, isShared: settings.isShared)
    }

    /// Forgets that an answer waits for effects of an input that has not happened.
    private func takeBack(_ answer: PendingAnswer<InputOutcome>) {
        if case .success(let outcome) = answer.result, let token = outcome.token { forget(token) }
    }

    /// Waits until an answer may leave.
    ///
    /// - Returns: Why the answer must not leave; nil if it may.
    func failure<Value>(of answer: PendingAnswer<Value>) async -> JournalError? {
        guard case .failure(let error) = await condition(of: answer).wait() else { return nil }
        guard settings.isShared, answer.condition == .state else { return error }
        if await isOvertakenByItself(answer) { return nil }
        // The tree goes, because other servers have written.
        if error == .conflict { await locked { $0.drop(answer.lineage) } }
        return error
    }

    /// The commit, or the confirmation, with whose success an answer may leave.
    func condition<Value>(of answer: PendingAnswer<Value>) -> PendingCommit {
        guard answer.condition == .state, let peers = settings.peers else { return answer.commit }
        return peers.confirm(id.journalKey, upon: answer.commit)
    }

    /// Returns a Boolean value indicating whether a later input of the same tree has been committed: then the state that an
    /// answer shows was still the newest while the request ran.
    private func isOvertakenByItself<Value>(_ answer: PendingAnswer<Value>) async -> Bool {
        let newest = await locked { $0.state.newest(of: answer.lineage) }
        guard case .success(let version)? = await newest?.wait() else { return false }
        return version != answer.commit.version
    }

    /// Has the next attempt read the record, if other servers may have written.
    private func dropTree() async {
        if settings.isShared { await locked { $0.drop() } }
    }

    /// Finds out whether a commit has happened and led to the newest version: else what an attempt has found out upon it was
    /// true at no moment of this request.
    ///
    /// - Throws: `SessionError`, if the attempt is not made again.
    private func isNewest(
        _ commit: PendingCommit, _ losses: inout LostAttempts
    ) async throws(SessionError) -> Bool {
        switch await commit.wait() {
        case .success(let version):
            if !settings.isShared { return true }
            if try await self.version() == version { return true }
            try recover(from: .conflict, isChange: false, &losses)
        case .failure(let error): try recover(from: error, isChange: false, &losses)
        }
        return false
    }
}

/// The result of a request's time under its session's lock.
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

/// The attempts that a request has lost.
private struct LostAttempts {
    private(set) var count = 0

    /// A request is made again so many times at most.
    private static let limit = 8

    /// Counts an attempt that was lost.
    ///
    /// - Parameters:
    ///   - failure: The reason.
    ///   - isShared: Set if several servers write.
    /// - Throws: `SessionError`, if the request is not made again.
    mutating func add(_ failure: JournalError, isShared: Bool) throws(SessionError) {
        count += 1
        guard count > Self.limit else { return }
        guard isShared else { throw SessionError(writing: failure) }
        throw .notRecorded(cause: "other servers have changed the session \(Self.limit) times meanwhile")
    }
}

/// The handling of a link that an attempt has found out, which holds at one revision alone: another input may have made room
/// for the link since, or it may be another link that waits.
struct LinkDecision: Sendable {
    private let handling: LinkHandling
    private let revision: Int

    /// Nothing was found out: links are followed.
    static let none = LinkDecision(.follow, at: 0)

    init(_ handling: LinkHandling, at revision: Int) {
        self.handling = handling
        self.revision = revision
    }

    /// The handling of an input that comes upon a revision.
    func handling(at revision: Int) -> LinkHandling { revision == self.revision ? handling : .follow }
}
