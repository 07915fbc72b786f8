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
    /// The request's idempotency key may have an answer, which has to be looked up in the journal.
    case keyed(KeyLookup)
    /// The input broke the tree, which was dropped: the session has to be woken, and then either the input is handled
    /// again, or the rejection answered: a truth about this revision, and about the version to which the commit leads.
    indirect case undone(Rejection, at: Int, upon: PendingCommit)
    /// The input has to be tried in a child before it is handled.
    indirect case suspected(Suspicion)
    /// An input has broken the tree before: inputs wait until a time, by the clock's uptime.
    case paused(until: Int64)
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

    /// Decides how the input is tried again that has broken the tree.
    ///
    /// - Parameters:
    ///   - rejection: The reason why it did not count.
    ///   - revision: The revision upon which it came.
    ///   - session: The session.
    /// - Throws: `SessionError`, the answer.
    mutating func retry(
        after rejection: Rejection, upon revision: Int, on session: Session
    ) async throws(SessionError)

    /// Notes that a trial has acquitted its input.
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
        var losses = LostAttempts()
        var attempt = first ?? operation.attempt(on: self, .arriving)
        while true {
            if case .busy = attempt { attempt = await attemptInTurn(operation) }
            do throws(SessionError) {
                if let value = try await answer(after: attempt, of: &operation, &losses) { return value }
            } catch {
                guard await operation.outlives(error, on: self) else { throw error }
                losses = LostAttempts()
            }
            attempt = operation.attempt(on: self, .arriving)
        }
    }

    /// Does what an attempt asks for.
    ///
    /// - Returns: The answer; nil where the next attempt is to make it.
    /// - Throws: `SessionError`, the answer.
    private func answer<Operation: SessionOperation>(
        after attempt: Attempt<Operation.Value>, of operation: inout Operation, _ losses: inout LostAttempts
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
            await dropTree()
        case .keyed(let lookup): return try await operation.lookUp(lookup, in: self)
        case .undone(let rejection, let revision, let commit):
            guard try await isNewest(commit, &operation, &losses) else { break }
            try await operation.retry(after: rejection, upon: revision, on: self)
        case .suspected(let suspicion):
            if try await survives(suspicion) { operation.acquit(suspicion.identity) }
        case .paused(let end):
            do { try await settings.clock.sleep(untilUptime: end) } catch {
                throw .notRecorded(cause: "the client has gone")
            }
        case .answered(let answer):
            if let failure = await failure(of: answer) {
                if case .success(let value) = answer.result { operation.takeBack(value, in: self) }
                // What it shows is durable, but the journal cannot say whether it is still the newest state.
                if answer.condition == .state, answer.commit.hasHappened, failure != .conflict {
                    throw SessionError(reading: failure)
                }
                try recover(from: failure, isChange: answer.condition == .change, &operation, &losses)
                break
            }
            do throws(SessionError) { return try answer.result.get() } catch {
                if case .ended(let tombstone) = error, operation.claim.denial(by: tombstone.access) != nil {
                    try await admit(operation.claim)
                }
                throw error
            }
        }
        return nil
    }

    /// Decides what a lost write means for a request: the tree goes when the next attempt enters the session.
    ///
    /// A change is made again only if another server was first, because any other change may have happened, or would fail
    /// again. All else changes nothing, and is made again.
    ///
    /// - Throws: `SessionError`, the answer, if the request is not made again.
    private func recover<Operation: SessionOperation>(
        from failure: JournalError, isChange: Bool, _ operation: inout Operation, _ losses: inout LostAttempts
    ) throws(SessionError) {
        if isChange, !settings.isShared || failure != .conflict { throw SessionError(writing: failure) }
        try losses.add(failure, isShared: settings.isShared)
        if settings.isShared { try operation.lose() }
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
    private func isNewest<Operation: SessionOperation>(
        _ commit: PendingCommit, _ operation: inout Operation, _ losses: inout LostAttempts
    ) async throws(SessionError) -> Bool {
        switch await commit.wait() {
        case .success(let version):
            if !settings.isShared { return true }
            if try await self.version() == version { return true }
            try recover(from: .conflict, isChange: false, &operation, &losses)
        case .failure(let error): try recover(from: error, isChange: false, &operation, &losses)
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
            await dropTree()
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
}

extension AwakeSession {
    /// The answer to a request whose precondition does not hold; nil where it does.
    func failure<Value>(of precondition: Precondition) -> PendingAnswer<Value>? {
        guard !precondition.holds(for: revision, in: settings.epoch) else { return nil }
        return pending(.failure(.preconditionFailed(current: snapshot())))
    }
}

/// The attempts that a request has lost.
private struct LostAttempts {
    private var count = 0

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
