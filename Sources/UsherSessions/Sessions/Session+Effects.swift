import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Begins a piece of work.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - salt: The session's random bits.
    ///   - app: The session's app.
    func begin(_ work: Work, salt: UInt64, app: String) -> Task<Void, Never> {
        switch work.kind {
        case .effect(let body):
            let (run, id, name) = (EffectRun(body), work.id, work.name)
            return Task.detached(priority: .high) { [self] in
                let outcome = await counted {
                    await self.outcome(of: run, name, key: EffectKey.text(id, salt: salt), app: app)
                }
                await feed(.result(id, outcome))
            }
        case .timer(let due):
            let id = work.id
            return Task.detached(priority: .high) { [self] in
                do { try await settings.clock.sleep(until: due) } catch { return }
                metrics.countTimer()
                await feed(.timer(id))
            }
        }
    }

    /// Lets all effects fail that are pending, before any of them begins.
    func failEffects(_ failure: EffectFailure) async {
        while let id = await locked({ $0.look { $0.firstEffect } }) {
            // An effect that cannot be failed now begins with the others; it is not tried for ever.
            guard var outcome = try? await complete(FeedOperation(.result(id, .failure(failure)))) else { return }
            outcome.isBusy = false
            afterCommit(outcome)
        }
    }

    /// Hands in what came of work, again and again until it is durable or lands nowhere.
    private func feed(_ content: InputContent) async {
        guard let outcome = try? await complete(FeedOperation(content)) else { return }
        afterCommit(outcome)
    }

    private func outcome(of run: EffectRun, _ name: String, key: String, app: String) async -> EffectOutcome {
        let outcome: EffectOutcome
        do {
            let services = try settings.services(of: app)
            outcome =
                await Deadline.run(within: settings.bounds.effectTime, by: settings.clock) {
                    await run(services, key)
                } ?? .failure(.timeout)
        } catch {
            settings.observe(.effectFailed(id, name: name, cause: "\(error)"))
            return .failure(.unreachable)
        }
        if case .failure(let failure) = outcome, let cause = failure.cause {
            settings.observe(.effectFailed(id, name: name, cause: cause))
        }
        return outcome
    }

    /// Counts an effect, and how long it takes.
    private func counted(_ body: () async -> EffectOutcome) async -> EffectOutcome {
        let start = ContinuousClock.now
        settings.metrics.beginEffect()
        let outcome = await body()
        settings.metrics.endEffect(after: .now - start)
        metrics.count(Task.isCancelled ? .cancelled : EffectEnd(outcome))
        return outcome
    }
}

/// An input that comes of work: a result or a timer.
private struct FeedOperation: SessionOperation {
    private var request: InputRequest
    private var link = LinkHandling.follow
    private var acquitted: GuiltyInput.Identity?

    init(_ content: InputContent) {
        request = InputRequest(content)
    }

    func attempt(on session: Session, _ turn: LockTurn) -> Attempt<InputOutcome> {
        // Its coordinator or its screen has gone, or its session: it lands nowhere.
        guard !Task.isCancelled else { return .answered(PendingAnswer(.failure(.retired))) }
        return session.use(turn) { $0.handle(request, link: link, lookup: nil, acquitted: acquitted) }
    }

    /// A handler that fails at a result turns it into a refused one.
    mutating func retry(after rejection: Rejection, on session: Session) async throws(SessionError) {
        if let retry = rejection.retry { return link = retry }
        guard let refused = request.content.refused(rejection.reason) else {
            throw .rejected(rejection, current: try await session.snapshot())
        }
        session.settings.observe(.effectRefused(session.id, cause: rejection.cause ?? rejection.reason))
        // Handlers of the coordinators that end for want of this work have failed as well: it stays pending.
        if case .refused = request.content { throw .retired }
        (request, link) = (InputRequest(refused), .follow)
    }

    mutating func acquit(_ input: GuiltyInput.Identity) {
        acquitted = input
    }

    /// Turns a guilty result into a refused one, and hands in again what cannot be made durable or tried now.
    ///
    /// Until then the work counts as under way.
    mutating func outlives(_ error: SessionError, on session: Session) async -> Bool {
        switch error {
        case .inputCrashes(let guilty, _): return refuse(guilty, on: session)
        case .notRecorded(let cause), .notTried(let cause):
            let settings = session.settings
            settings.observe(.effectPostponed(session.id, cause: cause))
            try? await settings.clock.sleep(until: settings.clock.now().advanced(by: .seconds(1)))
            return true
        default: return false
        }
    }

    /// - Returns: False where the refusal itself is guilty: the work stays pending then.
    private mutating func refuse(_ guilty: GuiltyInput, on session: Session) -> Bool {
        if case .refused = request.content { return false }
        guard let refused = request.content.refused(guilty.reason) else { return false }
        session.settings.observe(.effectRefused(session.id, cause: guilty.reason))
        request = InputRequest(refused)
        return true
    }
}
