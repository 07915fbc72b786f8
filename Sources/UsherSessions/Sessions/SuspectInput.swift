import Usher
import UsherJournal

extension AwakeSession {
    /// Checks whether an input may crash the process.
    ///
    /// - Returns: `nil` if the session may handle the input now; otherwise the refusal of a guilty input, or the
    ///   obstacle for a suspect.
    func judge(
        _ content: InputContent, _ link: LinkHandling, _ cleared: GuiltyInput.Identity?, on tree: Tree
    ) -> Attempt<InputOutcome, InputObstacle>? {
        let judgement = settings.guilty.judgement(
            on: content.identity(in: id, upon: tree.revision), in: id.journalKey,
            at: content.site(in: app, visible: tree.visibleScreen))
        switch judgement {
        case .free: return nil
        case .guilty(let guilty): return .answered(pending(.failure(.inputCrashes(guilty, current: snapshot()))))
        case .suspect:
            let identity = content.identity(in: id, upon: tree.revision)
            guard identity != cleared else { return nil }
            let input = Input(content, at: settings.clock.now(), link: link)
            return .blocked(.suspect(identity, Entry(input, upon: tree.revision), after: unwritten))
        }
    }
}

extension SessionSettings {
    /// Runs a suspect isolated; afterwards, the suspect is either cleared or guilty.
    ///
    /// - Returns: The guilty input, after the journal has recorded it; `nil` if the child process did not crash.
    /// - Throws: `SessionError.notTried` or `notRecorded`. The suspect then stays a suspect.
    func run(_ run: IsolatedRun, for identity: GuiltyInput.Identity) async throws(SessionError) -> GuiltyInput? {
        switch await guilty.runner?.outcome(of: run) {
        case .ended?, nil:
            guilty.clear(identity)
            return nil
        case .untried(let reason)?: throw .notTried(cause: reason)
        case .crashes(let crash)?:
            guard let (culprit, site) = try? run.culprit(of: crash) else {
                throw .notTried(cause: "the input of the isolated run cannot be read")
            }
            let input = GuiltyInput(
                culprit, at: site, build: guilty.build(), time: clock.now().milliseconds, crash: "\(crash)")
            if let error = await condemn(input) { throw .notRecorded(cause: "\(error)") }
            return input
        }
    }

    /// Records a guilty input in the journal and then in memory; returns the error if the journal did not record it.
    func condemn(_ input: GuiltyInput) async -> JournalError? {
        do throws(JournalError) { try await journal.add(input) } catch { return error }
        guilty.add(input)
        observe(guilty.refuses(input) ? .guilty(input) : .suspected(input))
        return nil
    }

    /// Returns the record of a live session.
    ///
    /// - Throws: `SessionError`.
    func liveRecord(of id: SessionID) async throws(SessionError) -> SessionRecord {
        let record = try await ask(await journal.record(of: id.journalKey))
        guard let record else { throw .unknown }
        if let tombstone = Tombstone(record.head) { throw .ended(tombstone) }
        return record
    }

    /// Runs a session's replay isolated, if the replay is suspect.
    ///
    /// - Throws: `SessionError.notTried` or `notRecorded`. If the replay crashes the child process, the replay is
    ///   recorded as guilty, and nothing is thrown.
    func judgeReplay(of id: SessionID, _ record: SessionRecord) async throws(SessionError) {
        guard guilty.isReplaySuspect(of: id.journalKey, app: record.head.app),
            guilty.replay(of: id.journalKey) == nil
        else { return }
        let run = IsolatedRun(of: id, record.head.app, record.entries)
        _ = try await self.run(run, for: .replay(of: id.journalKey, at: 0))
    }

    /// Deletes a guilty input from memory and, if the journal can be written now, from the journal.
    func forget(_ identity: GuiltyInput.Identity) async {
        guilty.forget(identity)
        try? await journal.forget(.only(identity))
    }

    /// Deletes the guilty input that prevents the replay of a session.
    func forgetReplay(of id: SessionID) async {
        if let replay = guilty.replay(of: id.journalKey) { await forget(replay.identity) }
    }
}
