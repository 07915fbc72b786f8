import Usher
package import UsherJournal

extension SessionRegistry {
    /// The trial of a session as its journal has it, maybe with an input that comes upon its newest revision.
    ///
    /// - Parameters:
    ///   - id: The key to the session.
    ///   - input: The input; nil to replay the session alone.
    /// - Returns: nil where the session is at another revision than the input comes upon.
    /// - Throws: `SessionError`.
    package func trial(of id: SessionID, _ input: TrialInput? = nil) async throws(SessionError) -> Trial? {
        try await settings.trial(of: id, input)
    }

    /// Makes the input of a trial guilty, or its session's replay: it is in the journal before anything is refused.
    ///
    /// - Parameters:
    ///   - trial: The trial.
    ///   - crash: The crash that it ended in.
    /// - Throws: `SessionError.notRecorded`; nothing is refused then.
    package func condemn(_ trial: Trial, for crash: Crash) async throws(SessionError) {
        try await settings.condemn(trial, for: crash)
    }

    /// The entry at which a session is known to end the process of this build when it is replayed.
    ///
    /// - Parameter id: The key to the session.
    package func replayCrash(of id: SessionID) -> GuiltyInput? {
        settings.guilty.replay(of: id.journalKey)
    }

    /// Takes a session whose replay ends the process back to an earlier revision, and goes on from there.
    ///
    /// Later entries stay in its record, and are not replayed any more; ids and revisions go on behind them.
    ///
    /// - Parameters:
    ///   - id: The key to the session.
    ///   - revision: A revision before the one at which it crashes.
    /// - Returns: The state there.
    /// - Throws: `SessionError`, `noRevision` where the session works, or has no such revision; `onHold` where this build
    ///   cannot even begin it, so that no earlier revision helps.
    package func rollBack(_ id: SessionID, to revision: Int) async throws(SessionError) -> Snapshot {
        let newest = try await entries(of: id).count
        guard let crash = settings.guilty.replay(of: id.journalKey) else {
            _ = try await snapshot(of: id)
            throw .noRevision("the session can be replayed; fork it to go on from an earlier revision")
        }
        let last = min(crash.identity.revision - 1, newest)
        guard last > 0 else {
            throw .noRevision("this session's opening ends the process, and nothing is before that; end it with DELETE")
        }
        guard (1...last).contains(revision) else {
            throw .noRevision("this session can be taken back to a revision from 1 to \(last)")
        }
        return try await with(id) { session throws(SessionError) in try await session.rollBack(to: revision) }
    }

    /// Judges a creation before its app's code runs, and tries it in a child where others ended the process.
    ///
    /// - Throws: `SessionError.inputCrashes`, `notTried`, `notRecorded`.
    func judge(_ creation: Creation) async throws(SessionError) {
        let payload = creation.payload(SecretPlaces()).json
        guard let identity = try? GuiltyInput.Identity(creation: payload) else { return }
        try await settings.waitForVerdict(on: .creation(identity))
        let site = GuiltyInput.Site(app: creation.app.name, screen: "", event: "creation")
        var verdict = settings.guilty.judgement(on: identity, in: nil, at: site)
        if case .suspected = verdict, let runner = settings.guilty.runner {
            let input = TrialInput(.creation, upon: 0, payload: payload, time: creation.time)
            let trial = Trial(creating: input, of: creation.app.name)
            switch await runner.verdict(on: trial) {
            case .survives: return settings.guilty.acquit(identity)
            case .crashes(let crash): try await settings.condemn(trial, for: crash)
            case .untried(let reason): throw .notTried(cause: reason)
            }
            verdict = settings.guilty.judgement(on: identity, in: nil, at: site)
        }
        if case .guilty(let input) = verdict { throw .inputCrashes(input, current: nil) }
    }

    /// Lets the journal forget guilty inputs of builds that were replaced a week ago.
    func forgetForeignInputs(at now: Timestamp) async throws(JournalError) {
        guard let selection = settings.guilty.foreign(by: now.milliseconds) else { return }
        try await settings.journal.forget(selection)
        settings.guilty.noteForeignGone()
    }
}
