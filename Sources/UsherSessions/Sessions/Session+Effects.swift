import Synchronization
import Usher
import UsherJournal
import UsherProcess

extension Session {
    /// Starts an effect or a timer.
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
                // A cancelled effect may start again, so its counted crashes stay in the journal.
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

    /// Fails all pending effects before any of them starts.
    ///
    /// New effects that start because of these failures run normally. If the failure of an effect cannot be submitted
    /// now, the effect runs normally, too.
    func failEffects(_ failure: EffectFailure) async {
        for id in await locked({ $0.look { $0.pendingEffects } ?? [] }) {
            guard var outcome = try? await deliver(.result(id, .failure(failure))) else { continue }
            outcome.isBusy = false
            publish(outcome)
        }
    }

    /// Submits the result of work repeatedly, until it is durable or no longer needed.
    private func feed(_ content: InputContent) async {
        do throws(SessionError) {
            publish(try await deliver(content))
        } catch {
            // Does not remove cancelled work, because other work may have the same id now.
            guard !Task.isCancelled, let id = content.result else { return }
            await locked { $0.work.lose(id) }
        }
    }

    /// Submits the result of work.
    ///
    /// If the handler of the result crashes the process, the function submits the result as rejected. If the result
    /// cannot be made durable now, the function submits it again later, and the work counts as running until then.
    ///
    /// - Throws: `SessionError` if the result is no longer needed.
    private func deliver(_ content: InputContent) async throws(SessionError) -> InputOutcome {
        var context = InputContext(InputRequest(content))
        while true {
            do throws(SessionError) { return try await process(&context) } catch {
                if case .inputCrashes(let guilty, _) = error {
                    // The rejected result crashes the process, too, so the work stays pending.
                    if case .refused(let id, _) = context.request.content {
                        await abandon(id)
                        throw error
                    }
                    guard let refused = context.request.content.discarded(guilty.reason) else { throw error }
                    settings.observe(.effectRefused(id, cause: guilty.reason))
                    context = InputContext(InputRequest(refused))
                } else {
                    // Submits the result again; if the journal has recorded it despite the error, this has no effect.
                    guard let cause = error.postponement else { throw error }
                    settings.observe(.effectPostponed(id, cause: cause))
                    // Waits a second, so that the result is not submitted again and again in quick succession.
                    do { try await settings.clock.sleep(untilUptime: settings.clock.uptime &+ 1_000) } catch {
                        throw .retired
                    }
                }
            }
        }
    }

    /// Returns the input that rejects a result whose handler failed; `nil` if the input cannot be rejected in this way.
    ///
    /// The coordinator's closure then receives the rejection as a failure, but only once.
    ///
    /// - Throws: `SessionError.retired` if the handler of the rejection has failed as well.
    func refusal(of content: InputContent, after rejection: Rejection) async throws(SessionError) -> InputContent? {
        guard let refused = content.refused(rejection.reason) else { return nil }
        // Reports only the first failure, because the closure usually fails again for the same reason when it receives
        // the rejection.
        if !content.isRefusal { settings.observe(.effectRefused(id, cause: rejection.cause ?? rejection.reason)) }
        // If the handler of the rejection has failed, too, the work stays pending, and starts again when a request
        // wakes the session. Until then, the work neither keeps the session in memory nor prevents the session's
        // expiry.
        if case .refused(let id, _) = content {
            await abandon(id)
            throw .retired
        }
        return refused
    }

    /// Records an effect as rejected, because it was running at several crashes.
    private func refuse(_ effect: EffectID, crashes: Int) async {
        let reason = "the effect was running at \(crashes) crashes of the server, so the effect is not started again"
        settings.observe(.effectRefused(id, cause: reason))
        await feed(.result(effect, .failure(.resultRefused(reason))))
    }

    private func outcome(
        of run: EffectRun, _ name: String, _ effect: EffectID, salt: UInt64, app: String
    ) async -> EffectOutcome {
        let key = EffectKey.text(effect, salt: salt)
        // The app's code runs on threads that the code may block. Other threads submit the result.
        let attempt: Result<EffectOutcome, any Error>? = await Deadline.run(
            within: settings.bounds.effectTime, by: settings.clock, on: settings.threads(of: effect, in: id, app: app)
        ) { [settings] () -> Result<EffectOutcome, any Error> in
            // Removes the mark before the result is handled: the effect does not cause a crash in the handler.
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
    /// Marks work whose result could be neither accepted nor rejected; the work stays pending.
    fileprivate func abandon(_ id: EffectID) async {
        // Marks the session first. As soon as the work no longer keeps the session in memory, a sweep may remove the
        // session, and the next sweep must not wake the session again.
        settings.held.stall(self.id)
        await locked { $0.work.abandon(id) }
    }
}

extension SessionError {
    /// The reason to submit a result again later; `nil` if another submission would not help.
    fileprivate var postponement: String? {
        switch self {
        case .notRecorded(let cause), .outcomeUnknown(let cause), .notRead(let cause), .notTried(let cause): cause
        case .servedElsewhere: "the build that wrote the session continues it"
        default: nil
        }
    }
}

extension SessionSettings {
    /// Returns the threads for an effect's closure, which mark the effect in the flight record while the closure runs.
    fileprivate func threads(of id: EffectID, in session: SessionID, app: String) -> any TaskExecutor {
        guard let flight else { return threads.effects }
        let (key, payload) = (session.journalKey, Array(id.description.utf8))
        return MarkingExecutor(on: threads.effects) {
            flight.begin(.effect, of: (key.high, key.low), app: app, upon: 0, payload: payload)
        } end: {
            flight.end()
        }
    }
}
