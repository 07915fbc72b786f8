import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// A request of a client, an operator or the server to end a session.
private struct EndRequest: Sendable {
    let reason: Tombstone.Reason
    /// If the session was used after this time, in milliseconds since 1970, it does not end; `nil` to always end it.
    let time: Int64?
    let precondition: Precondition
    let claim: SessionClaim

    func isUsed(_ session: Session) -> Bool { session.lastUse > time ?? .max }
}

/// The journal's record of a session that ends without a tree.
private struct EndedRecord: Sendable {
    let head: RecordHead
    /// The options that the session was opened with, as far as the journal may show them.
    let options: [UInt8]?
}

extension Session {
    /// Ends the session and releases its memory.
    ///
    /// If another request is waking the session, this request waits for the tree, and the session ends with the tree.
    /// If the session is asleep or cannot be woken, the session ends without a tree. A session that was used after
    /// `time`, in milliseconds since 1970, does not end.
    ///
    /// - Returns: The coordinators that stayed in memory; `nil` if the session did not end.
    func end(
        _ reason: Tombstone.Reason, unlessUsedSince time: Int64? = nil, if precondition: Precondition = .none,
        for claim: SessionClaim = .granted
    ) async throws(SessionError) -> [Leak]? {
        let request = EndRequest(reason: reason, time: time, precondition: precondition, claim: claim)
        var record: EndedRecord?
        var knownLosses = 0
        let outcome: EndOutcome? = try await perform(for: claim) { turn, losses in
            // Another server has written in the meantime, so the record must be read again.
            if losses != knownLosses { (record, knownLosses) = (nil, losses) }
            return attempt(request, record, turn)
        } waking: { () throws(SessionError) in
            // If another server has used the session in the meantime, the session must not expire.
            if time != nil, knownLosses > 0 { throw .notRecorded(cause: "the session was used in the meantime") }
            record = try await endedRecord(for: request)
            return nil
        }
        guard let outcome else { return nil }
        settings.held.forget(id)
        return publish(outcome, reason)
    }

    /// Reads the record of a session that ends without a tree.
    ///
    /// With a precondition, wakes the session instead, because the answer to a failed precondition contains the state.
    private func endedRecord(for request: EndRequest) async throws(SessionError) -> EndedRecord? {
        guard request.precondition == .none else {
            try await wake()
            return nil
        }
        _ = await locked { $0.state.waking }?.wait()
        let head = try await head(for: request)
        if let tombstone = Tombstone(head.header) { throw .ended(tombstone) }
        // If the record is damaged, the session ends without its options.
        let creation = try? await settings.ask(await settings.journal.creation(of: id.journalKey))
        return EndedRecord(head: head, options: creation?.toldOptions)
    }

    /// Returns the record's head in the journal; an empty head if the head is damaged and the request needs no token.
    ///
    /// A session with a damaged head does not expire. On a shared journal, no request can end it, because the record's
    /// version is unknown.
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
        // Read without the lock, too, so that a sweep does not wait for a session whose handler does not return.
        guard !request.isUsed(self) else { return .answered(PendingAnswer(.success(nil))) }
        let attempt = ifFree(turn) { end(&$0, request, record) }
        settings.endFlight()
        return attempt ?? .busy
    }

    private func end(
        _ guarded: inout GuardedSession, _ request: EndRequest, _ record: EndedRecord?
    ) -> Attempt<EndOutcome?, Never> {
        // A request records under the lock that it uses the session, so a request after this check finds the session ended.
        guard !request.isUsed(self) else { return .answered(PendingAnswer(.success(nil))) }
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
