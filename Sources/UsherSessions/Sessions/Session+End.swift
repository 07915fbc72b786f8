import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// An end from outside.
private struct EndRequest: Sendable {
    let reason: Tombstone.Reason
    /// The session goes on if it was used since: milliseconds since 1970; nil to end it anyway.
    let time: Int64?
    let precondition: Precondition
    let claim: SessionClaim

    func isUsed(_ session: Session) -> Bool { session.lastUse > time ?? .max }
}

/// What the journal has of a session that ends without a tree.
private struct EndedRecord: Sendable {
    let head: RecordHead
    /// The options with which it was opened, as far as the journal tells them now.
    let options: [UInt8]?
}

extension Session {
    /// Ends the session and gives all its memory back.
    ///
    /// One that is just being woken ends with its tree; one that sleeps, and one that cannot be woken, without.
    ///
    /// - Parameters:
    ///   - reason: Why it ends.
    ///   - time: It goes on if it was used since: milliseconds since 1970; nil to end it anyway.
    ///   - precondition: The condition on its revision.
    ///   - claim: The claim by which the request is let in.
    /// - Returns: The coordinators that did not leave memory; nil where it goes on.
    /// - Throws: `SessionError.ended` when it was over already.
    func end(
        _ reason: Tombstone.Reason, unlessUsedSince time: Int64? = nil, if precondition: Precondition = .none,
        for claim: SessionClaim = .granted
    ) async throws(SessionError) -> [Leak]? {
        let request = EndRequest(reason: reason, time: time, precondition: precondition, claim: claim)
        var record: EndedRecord?
        var knownLosses = 0
        let outcome: EndOutcome? = try await perform(for: claim) { turn, losses in
            // Another server has written since.
            if losses != knownLosses { (record, knownLosses) = (nil, losses) }
            return attempt(request, record, turn)
        } waking: { () throws(SessionError) in
            // One that was used meanwhile, elsewhere, does not end for its age.
            if time != nil, knownLosses > 0 { throw .notRecorded(cause: "the session was used meanwhile") }
            record = try await endedRecord(for: request)
            return nil
        }
        guard let outcome else { return nil }
        settings.held.forget(id)
        return publish(outcome, reason)
    }

    /// Reads what ends without a tree; the answer where a precondition does not hold has the state, for which there must be
    /// one.
    private func endedRecord(for request: EndRequest) async throws(SessionError) -> EndedRecord? {
        guard request.precondition == .none else {
            try await wake()
            return nil
        }
        _ = await waitForWaker()
        let head = try await head(for: request)
        if let tombstone = Tombstone(head.header) { throw .ended(tombstone) }
        // A session whose record is damaged ends, too.
        let creation = try? await settings.ask { journal throws(JournalError) in
            try await journal.creation(of: id.journalKey)
        }
        return EndedRecord(head: head, options: creation?.toldOptions)
    }

    /// The head in the journal; if it is damaged, an empty one for a request that needs no token.
    ///
    /// A damaged session does not end for its age, and several servers have no version upon which they could end it.
    private func head(for request: EndRequest) async throws(SessionError) -> RecordHead {
        let found: RecordHead?
        do throws(SessionError) { found = try await headInJournal() } catch {
            if case .shown = request.claim { throw error }
            guard case .onHold = error, request.time == nil, !settings.isShared else { throw error }
            let now = settings.clock.now().milliseconds
            found = RecordHead(SessionHeader(app: "", created: now, revision: 0, time: now, bytes: 0))
        }
        guard let found else { throw .unknown }
        return found
    }

    private func attempt(_ request: EndRequest, _ record: EndedRecord?, _ turn: LockTurn) -> Attempt<EndOutcome?, Never>
    {
        // One that is being used needs no lock to be seen.
        guard !request.isUsed(self) else { return .answered(PendingAnswer(.success(nil))) }
        guard turn == .called || queue.isEmpty else { return .busy }
        let attempt = guarded.withLockIfAvailable { guarded -> Attempt<EndOutcome?, Never> in
            // A request notes its use under the lock, so one that is not seen here will find a tombstone.
            guard !request.isUsed(self) else { return .answered(PendingAnswer(.success(nil))) }
            return end(&guarded, request, record)
        }
        guard let attempt else { return .busy }
        settings.endFlight()
        leaveLock()
        return attempt
    }

    private func end(
        _ guarded: inout GuardedSession, _ request: EndRequest, _ record: EndedRecord?
    ) -> Attempt<EndOutcome?, Never> {
        switch guarded.enter() {
        case .waking: return .asleep
        case .retired: return .answered(PendingAnswer(.failure(.retired)))
        case .over(let ending): return .answered(ending.as())
        case .awake(let awake):
            guard request.claim.denial(by: awake.access) == nil else { return .denied }
            let failure: PendingAnswer<EndOutcome?>? = awake.failure(of: request.precondition)
            if let failure { return .answered(failure) }
            awake.flight.begin(.end)
            let answer = awake.end(request.reason, at: settings.clock.now(), unlessUsedSince: request.time)
            if let ending = awake.ending { guarded.state.end(with: ending) }
            return .answered(answer)
        case .asleep(let carried, _):
            guard let record else { return .asleep }
            guard request.claim.denial(by: record.head.header.access) == nil else { return .denied }
            return .answered(end(&guarded, request, record, after: carried))
        }
    }

    /// Ends a session that has no tree.
    private func end(
        _ guarded: inout GuardedSession, _ request: EndRequest, _ ended: EndedRecord, after carried: CarriedState?
    ) -> PendingAnswer<EndOutcome?> {
        settings.totals.end(carried?.counted.live ?? 0)
        var record = RecordWriter(ended.head, of: id, settings: settings, answers: [], isOwn: true)
        let commit = record.end(
            SessionEnding(request.reason, options: ended.options), at: settings.clock.now(),
            unlessUsedSince: request.time)
        if let ending = record.ending { guarded.state.end(with: ending) }
        return record.pending(
            .success(EndOutcome(app: settings.apps.presentName(of: ended.head.header.app), leaks: [])), upon: commit)
    }
}
