import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Ends the session and gives all its memory back.
    ///
    /// - Parameters:
    ///   - reason: Why it ends.
    ///   - time: It goes on if it was used since; milliseconds since 1970.
    /// - Returns: The coordinators that did not leave memory; nil where it goes on.
    /// - Throws: `SessionError.ended` when it was over already.
    func end(_ reason: Tombstone.Reason, unlessUsedSince time: Int64 = .max) async throws(SessionError) -> [Leak]? {
        guard let outcome = try await complete(EndOperation(reason: reason, time: time)) else { return nil }
        return afterCommit(outcome, reason)
    }

    /// - Parameter header: The header in the journal, for a session that is not in memory; nil while that is not known.
    fileprivate func attemptEnd(
        _ reason: Tombstone.Reason, unlessUsedSince time: Int64, header: SessionHeader?
    ) -> Attempt<EndOutcome?> {
        guarded.withLock { guarded in
            // A request notes its use before it takes the lock, so one that is not seen here will find a tombstone.
            guard lastUse <= time else { return .answered(PendingAnswer(.success(nil))) }
            let now = settings.clock.now()
            switch guarded.enter() {
            case .waking: return .asleep
            case .retired: return .answered(PendingAnswer(.failure(.retired)))
            case .over(let ending): return .answered(ending.as())
            case .awake(let awake):
                let answer = awake.end(reason, at: now)
                if let ending = awake.ending { guarded.state.end(with: ending) }
                return .answered(answer)
            case .asleep(let carried, _):
                guard let header else { return .asleep }
                settings.totals.end(carried?.counted.live ?? 0)
                var record = RecordWriter(header, of: id, settings: settings, answers: [])
                record.end(reason, at: now)
                if let ending = record.ending { guarded.state.end(with: ending) }
                return .answered(record.pending(.success(EndOutcome(app: header.app, leaks: [])), isChange: true))
            }
        }
    }

    /// Takes the session out of memory, unless something is under way; the journal has it.
    ///
    /// - Returns: True where it has left.
    func retire() -> Bool {
        let leaks = guarded.withLock { guarded -> [Leak]? in
            switch guarded.state.retire(where: { $0.isIdle }) {
            case .refused: return nil
            case .left: return []
            case .forgotten(let carried):
                settings.totals.hibernate(carried?.counted.live ?? 0)
                return []
            case .hibernated(let awake):
                guarded.work.stop()
                return awake.hibernate()
            }
        }
        guard let leaks else { return false }
        settings.leave(self)
        if !leaks.isEmpty { settings.observe(.leaked(id, leaks)) }
        return true
    }
}

/// An end from outside.
private struct EndOperation: SessionOperation {
    let reason: Tombstone.Reason
    let time: Int64
    private var header: SessionHeader?

    init(reason: Tombstone.Reason, time: Int64) {
        self.reason = reason
        self.time = time
    }

    func attempt(on session: Session) -> Attempt<EndOutcome?> {
        session.attemptEnd(reason, unlessUsedSince: time, header: header)
    }

    /// One that is just being woken ends with its tree; one that cannot be woken, and one that sleeps, without.
    mutating func wake(_ session: Session) async throws(SessionError) -> EndOutcome?? {
        _ = await session.waitForWaker()
        let header = try await session.settings.ask { journal throws(JournalError) in
            try await journal.head(of: session.id.journalKey)
        }
        guard let header else { throw .unknown }
        if let tombstone = Tombstone(header) { throw .ended(tombstone) }
        self.header = header
        return nil
    }
}
