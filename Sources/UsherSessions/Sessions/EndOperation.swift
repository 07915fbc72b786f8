import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// An end from outside.
struct EndOperation: SessionOperation {
    private let reason: Tombstone.Reason
    private let time: Int64?
    private let precondition: Precondition
    let claim: SessionClaim
    var isUse: Bool { false }
    /// The head in the journal, for a session that is not in memory; nil while that is not known.
    private var head: RecordHead?
    /// The options that such a session was opened with.
    private var options: [UInt8]?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - reason: Why it ends.
    ///   - time: The session goes on if it was used since: milliseconds since 1970; nil to end it anyway.
    ///   - precondition: The condition on its revision.
    ///   - claim: The claim by which the request is let in.
    init(reason: Tombstone.Reason, time: Int64?, precondition: Precondition, claim: SessionClaim) {
        self.reason = reason
        self.time = time
        self.precondition = precondition
        self.claim = claim
    }

    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<EndOutcome?> {
        // One that is being used needs no lock to be seen.
        guard !wasUsed(session) else { return .answered(PendingAnswer(.success(nil))) }
        guard turn == .called || session.queue.isEmpty else { return .busy }
        let attempt = session.guarded.withLockIfAvailable { guarded -> Attempt<EndOutcome?> in
            // A request notes its use under the lock, so one that is not seen here will find a tombstone.
            guard !wasUsed(session) else { return .answered(PendingAnswer(.success(nil))) }
            return end(session, &guarded)
        }
        guard let attempt else { return .busy }
        session.settings.endFlight()
        session.leaveLock()
        return attempt
    }

    /// One that was used meanwhile, elsewhere, does not end for its age.
    mutating func lose() throws(SessionError) {
        guard time == nil else { throw .notRecorded(cause: "the session was used meanwhile") }
        head = nil
    }

    /// One that is just being woken ends with its tree; one that cannot be woken, and one that sleeps, without.
    mutating func wake(_ session: Session) async throws(SessionError) -> EndOutcome?? {
        guard precondition == .none else {
            // The answer where it does not hold has the state, for which there must be a tree.
            try await session.wake()
            return nil
        }
        _ = await session.waitForWaker()
        guard let head = try await session.headInJournal() else { throw .unknown }
        if let tombstone = Tombstone(head.header) { throw .ended(tombstone) }
        self.head = head
        options = await options(of: session)
        return nil
    }

    private func wasUsed(_ session: Session) -> Bool { session.lastUse > time ?? .max }

    private func end(_ session: Session, _ guarded: inout GuardedSession) -> Attempt<EndOutcome?> {
        switch guarded.enter() {
        case .waking: return .asleep
        case .retired: return .answered(PendingAnswer(.failure(.retired)))
        case .over(let ending): return .answered(ending.as())
        case .awake(let awake):
            guard claim.denial(by: awake.access) == nil else { return .denied }
            let failure: PendingAnswer<EndOutcome?>? = awake.failure(of: precondition)
            if let failure { return .answered(failure) }
            awake.flight.begin(.end)
            let answer = awake.end(reason, at: session.settings.clock.now(), unlessUsedSince: time)
            if let ending = awake.ending { guarded.state.end(with: ending) }
            return .answered(answer)
        case .asleep(let carried, _):
            guard let head else { return .asleep }
            guard claim.denial(by: head.header.access) == nil else { return .denied }
            return .answered(end(session, &guarded, without: carried, head))
        }
    }

    /// Ends a session that is not in memory.
    private func end(
        _ session: Session, _ guarded: inout GuardedSession, without carried: CarriedState?, _ head: RecordHead
    ) -> PendingAnswer<EndOutcome?> {
        session.settings.totals.end(carried?.counted.live ?? 0)
        var record = RecordWriter(head, of: session.id, settings: session.settings, answers: [])
        let commit = record.end(
            SessionEnding(reason, options: options), at: session.settings.clock.now(), unlessUsedSince: time)
        if let ending = record.ending { guarded.state.end(with: ending) }
        return record.pending(.success(EndOutcome(app: head.header.app, leaks: [])), upon: commit)
    }

    /// The options that a session was opened with, as far as the journal tells them now.
    private func options(of session: Session) async -> [UInt8]? {
        // A session whose record is damaged ends, too.
        let creation = try? await session.settings.ask { journal throws(JournalError) in
            try await journal.creation(of: session.id.journalKey)
        }
        return creation?.toldOptions
    }
}
