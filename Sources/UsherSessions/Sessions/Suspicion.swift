import Synchronization
import Usher
import UsherJournal

/// An input that is to be tried in a child before it is handled, for others at its site ended the process.
struct Suspicion: Sendable {
    let identity: GuiltyInput.Identity
    let input: TrialInput
}

extension AwakeSession {
    /// Judges an input before it is handled.
    ///
    /// - Parameters:
    ///   - content: The input.
    ///   - link: The handling of a link.
    ///   - cleared: The input that was tried alone, and did no harm.
    ///   - tree: The session's tree.
    /// - Returns: The result of the attempt where it must not be handled, or not yet; nil where it may.
    func judge(
        _ content: InputContent, _ link: LinkHandling, _ cleared: GuiltyInput.Identity?, on tree: Tree
    ) -> Attempt<InputOutcome, InputObstacle>? {
        let judgement = settings.guilty.judgement(
            on: content.identity(in: id, upon: tree.revision), in: id.journalKey,
            at: content.site(in: app, visible: tree.visibleScreen))
        switch judgement {
        case .free: return nil
        case .guilty(let guilty): return .answered(pending(.failure(.inputCrashes(guilty, current: snapshot()))))
        case .suspected:
            let identity = content.identity(in: id, upon: tree.revision)
            guard identity != cleared else { return nil }
            let input = TrialInput(
                content.guiltyKind, upon: tree.revision, payload: content.payload, time: settings.clock.now(),
                link: link)
            return .blocked(.suspicion(Suspicion(identity: identity, input: input)))
        }
    }
}

extension SessionSettings {
    /// The trial of a session, maybe with an input that comes upon its newest revision.
    ///
    /// - Returns: nil where the session is at another revision.
    /// - Throws: `SessionError`.
    func trial(of id: SessionID, _ input: TrialInput?) async throws(SessionError) -> Trial? {
        let record = try await ask { journal throws(JournalError) in try await journal.record(of: id.journalKey) }
        guard let record else { throw .unknown }
        if let tombstone = Tombstone(record.head) { throw .ended(tombstone) }
        guard input.map({ $0.revision == record.head.revision }) ?? true else { return nil }
        return Trial(of: id, record, input: input)
    }

    /// Makes the input of a trial guilty: it is in the journal before anything is refused for it.
    ///
    /// - Parameters:
    ///   - trial: The trial.
    ///   - crash: The crash that it ended in.
    ///   - incident: The incident that it belongs to; a new one unless told.
    /// - Throws: `SessionError.notRecorded`; nothing is refused then.
    func condemn(_ trial: Trial, for crash: Crash, of incident: Int? = nil) async throws(SessionError) {
        let time = clock.now().milliseconds
        guard let input = try? GuiltyInput(crash, at: trial, build: guilty.build(), time: time) else {
            throw .notTried(cause: "the input of the trial cannot be read")
        }
        do throws(JournalError) { try await journal.add(input) } catch { throw .notRecorded(cause: "\(error)") }
        guilty.add(input)
        if incident == nil { incidents.add(CrashIncident(input)) }
        observe(.guilty(trial.session, input))
    }

    /// Tries a session's replay in a child where others of its app ended the process, or it was in flight then.
    ///
    /// - Throws: `SessionError.notTried`, `notRecorded`; where it ends the child, it is guilty by now.
    func judgeReplay(of id: SessionID, _ record: SessionRecord) async throws(SessionError) {
        guard guilty.isReplaySuspected(of: id.journalKey, app: record.head.app), let runner = guilty.runner,
            guilty.replay(of: id.journalKey) == nil
        else { return }
        let trial = Trial(of: id, record, input: nil)
        switch await runner.verdict(on: trial) {
        case .survives: guilty.acquit(.replay(of: id.journalKey, at: 0))
        case .crashes(let crash): try await condemn(trial, for: crash)
        case .untried(let reason): throw .notTried(cause: reason)
        }
    }

    /// Forgets that a session cannot be replayed; where the journal does not now, its record says so all the same.
    func forgetReplay(of id: SessionID) async {
        guard let replay = guilty.replay(of: id.journalKey) else { return }
        guilty.forgetReplay(of: id.journalKey)
        try? await journal.forget(.only(replay.identity))
    }
}
