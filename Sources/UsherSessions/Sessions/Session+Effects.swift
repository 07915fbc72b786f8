import Synchronization
import Usher
import UsherJournal
import UsherProcess

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
                let crashes = settings.guilty.crashes(of: .effect(id, of: self.id))
                guard crashes < GuiltyInputs.effectLimit else { return await refuse(id, crashes: crashes) }
                let outcome = await counted {
                    await self.outcome(of: run, name, id, salt: salt, app: app)
                }
                // One that was cut off has not come to its end, and may be begun again.
                if crashes > 0, !Task.isCancelled { await settings.forget(.effect(id, of: self.id)) }
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
    ///
    /// Those that begin as others fail are the session's own, and begin like any; so does one that cannot be failed now.
    func failEffects(_ failure: EffectFailure) async {
        for id in await locked({ $0.look { $0.pendingEffects } ?? [] }) {
            guard var outcome = try? await deliver(.result(id, .failure(failure))) else { continue }
            outcome.isBusy = false
            publish(outcome)
        }
    }

    /// Hands in what came of work, again and again until it is durable or lands nowhere.
    private func feed(_ content: InputContent) async {
        do throws(SessionError) {
            publish(try await deliver(content))
        } catch {
            // Another run may have the place of one that was cut off.
            guard !Task.isCancelled, let id = content.result else { return }
            await locked { $0.work.lose(id) }
        }
    }

    /// Hands in what came of work.
    ///
    /// A result that ends the process is recorded as a refused one. What cannot be made durable or tried now is handed in
    /// again later; until then the work counts as under way.
    ///
    /// - Throws: `SessionError`, why it lands nowhere.
    private func deliver(_ content: InputContent) async throws(SessionError) -> InputOutcome {
        var context = InputContext(InputRequest(content))
        while true {
            do throws(SessionError) { return try await process(&context) } catch {
                if case .inputCrashes(let guilty, _) = error {
                    // The refusal itself is guilty: the work stays pending.
                    if case .refused(let id, _) = context.request.content {
                        await abandon(id)
                        throw error
                    }
                    guard let refused = context.request.content.discarded(guilty.reason) else { throw error }
                    settings.observe(.effectRefused(id, cause: guilty.reason))
                    context = InputContext(InputRequest(refused))
                } else {
                    // One that has been recorded all the same lands nowhere the second time.
                    guard let cause = error.postponement else { throw error }
                    settings.observe(.effectPostponed(id, cause: cause))
                    // Without the pause it would be handed in again and again by a session whose work has ended.
                    do { try await settings.clock.sleep(untilUptime: settings.clock.uptime &+ 1_000) } catch {
                        throw .retired
                    }
                }
            }
        }
    }

    /// The input in whose form a result is recorded as refused, because its handler has failed: its closure gets that as a
    /// failure, once.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `SessionError.retired` if the refusal has failed as well.
    func refusal(of content: InputContent, after rejection: Rejection) async throws(SessionError) -> InputContent? {
        guard let refused = content.refused(rejection.reason) else { return nil }
        // A closure that fails at the refusal, too, mostly does so for the same reason.
        if !content.isRefusal { settings.observe(.effectRefused(id, cause: rejection.cause ?? rejection.reason)) }
        // Handlers of the coordinators that end for want of this work have failed as well: it stays pending, and the
        // session leaves memory and ends as if it were not. The work begins again when somebody wakes the session.
        if case .refused(let id, _) = content {
            await abandon(id)
            throw .retired
        }
        return refused
    }

    /// Records an effect as refused that has ended the process again and again.
    private func refuse(_ effect: EffectID, crashes: Int) async {
        let reason = "its work was going on at \(crashes) crashes of the server, and is not begun again"
        settings.observe(.effectRefused(id, cause: reason))
        await feed(.result(effect, .failure(.resultRefused(reason))))
    }

    private func outcome(
        of run: EffectRun, _ name: String, _ effect: EffectID, salt: UInt64, app: String
    ) async -> EffectOutcome {
        let key = EffectKey.text(effect, salt: salt)
        // The author's code, on threads that it may block; what comes of it is handed in on others.
        let attempt: Result<EffectOutcome, any Error>? = await Deadline.run(
            within: settings.bounds.effectTime, by: settings.clock, on: settings.threads(of: effect, in: id, app: app)
        ) { [settings] () -> Result<EffectOutcome, any Error> in
            // Before its result is handled, whose crash is none of the effect's.
            defer { settings.endFlight() }
            do { return .success(await run(try settings.services(of: app), key)) } catch {
                return .failure(error)
            }
        }
        switch attempt {
        case .success(.failure(let failure)):
            if let cause = failure.cause { settings.observe(.effectFailed(id, name: name, cause: cause)) }
            return .failure(failure)
        case .success(let outcome): return outcome
        case .failure(let error):
            settings.observe(.effectFailed(id, name: name, cause: "\(error)"))
            return .failure(.unreachable)
        case nil: return .failure(.timeout)
        }
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

extension Session {
    /// Lets a result that cannot even be refused stay pending, and the session leave memory all the same.
    fileprivate func abandon(_ id: EffectID) async {
        // First: once the work keeps it no more, a sweep may put it out of memory, and the next one wake it.
        settings.held.stall(self.id)
        await locked { $0.work.abandon(id) }
    }
}

extension SessionError {
    /// The reason why a result is handed in again later; nil where that would not help.
    fileprivate var postponement: String? {
        switch self {
        case .notRecorded(let cause), .outcomeUnknown(let cause), .notRead(let cause), .notTried(let cause): cause
        case .servedElsewhere: "the build that wrote the session goes on with it"
        default: nil
        }
    }
}

extension SessionSettings {
    /// The threads of an effect's own work, which they mark as its while they do it.
    fileprivate func threads(of id: EffectID, in session: SessionID, app: String) -> any TaskExecutor {
        guard let flight else { return threads.effects }
        let (key, payload) = (session.journalKey, Array(id.description.utf8))
        return MarkingExecutor(on: threads.effects) {
            flight.beginEffect(payload, of: (key.high, key.low), app: app)
        } end: {
            flight.end()
        }
    }
}
