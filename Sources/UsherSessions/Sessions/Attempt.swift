import Usher
import UsherFuture
import UsherJournal
import UsherProcess

/// The result of a request's time under its session's lock.
enum Attempt<Value: Sendable>: Sendable {
    /// Another has the lock, or waits for it: the attempt is made once it is free.
    case busy
    /// There is no tree: the session has to be woken first.
    case asleep
    /// Other servers have written, or may have: the tree has to catch up first.
    case behind
    /// The request's idempotency key may have an answer, which has to be looked up in the journal.
    case keyed(KeyLookup)
    /// The input broke the tree, which was dropped: the session has to be woken, and then either the input is handled
    /// again, or the rejection answered: a truth about this version of the record.
    indirect case undone(Rejection, upon: Footing)
    /// The input has to be tried in a child before it is handled.
    indirect case suspected(Suspicion)
    /// The history is long, and the input might break the tree: a copy of the process handles it first.
    indirect case untested(DryRun)
    /// By what the tree knows, the request is not let in: the journal decides.
    case denied
    /// There is an answer.
    case answered(PendingAnswer<Value>)
}

/// Something that is asked of a session: attempted under its lock until there is a durable answer.
protocol SessionOperation: Sendable {
    associatedtype Value: Sendable

    /// The claim by which it is let in; granted unless told.
    var claim: SessionClaim { get }

    /// True where it is a use of the session once it is let in; true unless told.
    var isUse: Bool { get }

    /// Attempts it, under the session's lock.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - turn: The attempt's part in the order of those that want the lock.
    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<Value>

    /// Wakes the session, for there is no tree.
    ///
    /// - Returns: The answer, where there is one without a tree; nil where the next attempt is to make it.
    /// - Throws: `SessionError`, the answer.
    mutating func wake(_ session: Session) async throws(SessionError) -> Value?

    /// Looks up the answer under the request's key.
    ///
    /// - Returns: That answer; nil where there is none, and the next attempt is to make it.
    /// - Throws: `SessionError`, the answer.
    mutating func lookUp(_ lookup: KeyLookup, in session: Session) async throws(SessionError) -> Value?

    /// Decides how the input is tried again that has broken the tree, or would have.
    ///
    /// - Parameters:
    ///   - rejection: The reason why it did not count.
    ///   - revision: The revision upon which it came.
    ///   - session: The session.
    /// - Throws: `SessionError`, the answer.
    mutating func retry(
        after rejection: Rejection, upon revision: Int, on session: Session
    ) async throws(SessionError)

    /// Notes that a trial or a dry run has acquitted its input.
    mutating func acquit(_ input: GuiltyInput.Identity)

    /// Decides whether it is attempted again, for another server has written before it.
    ///
    /// - Throws: `SessionError`, the answer.
    mutating func lose() throws(SessionError)

    /// Takes back what an attempt has left in the session, for its change was not made durable, or nobody knows.
    ///
    /// - Parameters:
    ///   - value: The answer that it would have had.
    ///   - session: The session.
    func takeBack(_ value: Value, in session: Session)

    /// Decides whether it is attempted again although it was answered by an error.
    mutating func outlives(_ error: SessionError, on session: Session) async -> Bool
}

extension SessionOperation {
    var claim: SessionClaim { .granted }

    var isUse: Bool { true }

    mutating func wake(_ session: Session) async throws(SessionError) -> Value? {
        try await session.wake()
        return nil
    }

    mutating func lookUp(_ lookup: KeyLookup, in session: Session) async throws(SessionError) -> Value? { nil }

    mutating func retry(
        after rejection: Rejection, upon revision: Int, on session: Session
    ) async throws(SessionError) {}

    mutating func acquit(_ input: GuiltyInput.Identity) {}

    mutating func lose() throws(SessionError) {}

    func takeBack(_ value: Value, in session: Session) {}

    mutating func outlives(_ error: SessionError, on session: Session) async -> Bool { false }
}

extension Session {
    /// Attempts an operation until its answer is durable: wakes the session where it sleeps, looks up keys, tries inputs
    /// again, and makes answers again that showed what has not happened.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - first: The result of the first attempt; it is made here where nil.
    /// - Throws: `SessionError`, the answer.
    func complete<Operation: SessionOperation>(
        _ operation: Operation, from first: Attempt<Operation.Value>? = nil
    ) async throws(SessionError) -> Operation.Value {
        var operation = operation
        var contention = Contention()
        var attempt = first ?? operation.attempt(on: self, .arriving)
        while true {
            if case .busy = attempt { attempt = await attemptInTurn(operation) }
            do throws(SessionError) {
                if let value = try await answer(after: attempt, of: &operation, &contention) { return value }
            } catch {
                guard await operation.outlives(error, on: self) else { throw error }
                contention = Contention()
            }
            attempt = operation.attempt(on: self, .arriving)
        }
    }

    /// Does what an attempt asks for.
    ///
    /// - Returns: The answer; nil where the next attempt is to make it.
    /// - Throws: `SessionError`, the answer.
    private func answer<Operation: SessionOperation>(
        after attempt: Attempt<Operation.Value>, of operation: inout Operation, _ contention: inout Contention
    ) async throws(SessionError) -> Operation.Value? {
        switch attempt {
        case .busy: break
        case .asleep:
            try await admit(operation.claim)
            if operation.isUse { noteUse() }
            return try await operation.wake(self)
        case .denied:
            try await admit(operation.claim)
            // Another server has given the token meanwhile, or it was given here.
            await fallBehind()
        case .behind: contention.version = try await CatchUp(of: self).run()
        case .keyed(let lookup): return try await operation.lookUp(lookup, in: self)
        case .undone(let rejection, upon: let footing):
            guard try await stands(on: footing, &contention, &operation) else { break }
            try await operation.retry(after: rejection, upon: footing.revision, on: self)
        case .suspected(let suspicion):
            if try await survives(suspicion) { operation.acquit(suspicion.identity) }
        case .untested(let run):
            guard case .refused(let rejection, _)? = await verdict(of: run) else {
                operation.acquit(run.identity)
                break
            }
            guard try await stands(on: run.footing, &contention, &operation) else { break }
            try await operation.retry(after: rejection, upon: run.footing.revision, on: self)
        case .answered(let pending):
            let outcome = await pending.outcome(knowing: contention.version).value
            if case .success(let value)? = outcome { return value }
            if case .success(let value) = pending.result { operation.takeBack(value, in: self) }
            if case .failure(let error)? = outcome {
                if case .ended(let tombstone) = error, operation.claim.denial(by: tombstone.access) != nil {
                    try await admit(operation.claim)
                }
                throw error
            }
            guard !settings.isShared else { return try contention.lose(&operation) }
            try contention.miss(for: pending.failure)
        }
        return nil
    }

    /// Has the tree catch up before the next attempt, where others may have written.
    private func fallBehind() async {
        guard settings.isShared else { return }
        await locked { guarded in _ = guarded.look { $0.chain.fallBehind(from: $0.chain.token) } }
    }

    /// True where the record is still what an attempt was made upon: else what that has found out was true at no moment of
    /// this request.
    ///
    /// - Throws: `SessionError`, where the attempt is not made again.
    private func stands<Operation: SessionOperation>(
        on footing: Footing, _ contention: inout Contention, _ operation: inout Operation
    ) async throws(SessionError) -> Bool {
        if settings.isShared {
            guard try await version() != footing.version else { return true }
            try contention.lose(&operation)
        } else {
            guard let failure = await footing.failure else { return true }
            try contention.miss(for: failure)
        }
        return false
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

    /// Attempts an operation once the lock is free.
    ///
    /// - Returns: The result, which is not `busy`.
    private func attemptInTurn<Operation: SessionOperation>(_ operation: Operation) async -> Attempt<Operation.Value> {
        var turn = LockTurn.arriving
        while true {
            await waitForTurn(turn)
            turn = .called
            let attempt = operation.attempt(on: self, turn)
            if case .busy = attempt { continue }
            queue.endTurn()
            return attempt
        }
    }

    /// Tries a suspected input in a child.
    ///
    /// - Returns: True where it survives; else it is guilty by now, or the session has moved on.
    /// - Throws: `SessionError.notTried` where nothing came of the trial, `notRecorded` where nobody could be told,
    ///   `replayCrashes` where the child did not even come to the input.
    func survives(_ suspicion: Suspicion) async throws(SessionError) -> Bool {
        guard let runner = settings.guilty.runner else { return true }
        guard let trial = try await settings.trial(of: id, suspicion.input) else {
            await fallBehind()
            return false
        }
        switch await runner.verdict(on: trial) {
        case .survives:
            settings.guilty.acquit(suspicion.identity)
            return true
        case .crashes(let crash):
            try await settings.condemn(trial, for: crash)
            // The child never came to the input: it would not the next time either.
            if crash.revision != nil, let replay = settings.guilty.replay(of: id.journalKey) {
                throw .replayCrashes(replay)
            }
            return false
        case .untried(let reason): throw .notTried(cause: reason)
        }
    }

    /// Makes a dry run.
    ///
    /// - Returns: nil where it did not come to its end, or the session has moved on.
    func verdict(of run: DryRun) async -> DryRunVerdict? {
        await settings.pace.wait(for: id)
        // Each copy holds one of those threads, so that there are never more copies than these.
        let answer = await withTaskExecutorPreference(settings.threads.copies) { () -> [UInt8]? in
            let (begin, copy) = await locked { guarded in
                (MonotonicClock.now, guarded.look { $0.copy(for: run) })
            }
            defer { settings.pace.note(MonotonicClock.now - begin) }
            return copy?.result()
        }
        guard let verdict = answer.flatMap({ DryRunVerdict(json: $0) }) else { return nil }
        switch verdict {
        case .accepted: settings.refusals.note(false, at: run.site)
        case .harmless: break
        case .refused(_, let spent):
            settings.refusals.note(true, at: run.site)
            await locked { guarded in _ = guarded.look { $0.spend(spent) } }
        }
        return verdict
    }
}

extension AwakeSession {
    /// The answer to a request whose precondition does not hold; nil where it does.
    func failure<Value>(of precondition: Precondition) -> PendingAnswer<Value>? {
        guard !precondition.holds(for: revision, in: settings.epoch) else { return nil }
        return pending(.failure(.preconditionFailed(current: snapshot())))
    }
}
