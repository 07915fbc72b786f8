import Synchronization
import Usher
import UsherJournal

extension Session {
    /// Does what has to be done once a revision is kept: begins work, ends what is not waited for any more, and shows
    /// the state to those that watch.
    ///
    /// - Parameter revision: The revision; nothing of a later one begins.
    func noteKept(_ revision: Int) {
        life.withLock { $0.noteKept(revision, in: self) }
    }

    /// Begins a piece of work.
    func begin(_ work: Work, salt: UInt64, app: String) -> Task<Void, Never> {
        switch work.kind {
        case .effect(let body):
            let (run, id, name) = (EffectRun(body), work.id, work.name)
            return Task.detached(priority: .high) { [self] in
                let outcome = await counting {
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

    /// Hands in what came from elsewhere than a user, again and again until it is kept or lands nowhere.
    ///
    /// - Parameter content: What came. A handler that fails at a result turns it into a refused one.
    /// - Parameter begins: Whether work begins that had to wait for it.
    func feed(_ content: InputContent, beginning begins: Bool = true) async {
        var content = content
        var link = LinkHandling.follow
        while !Task.isCancelled {
            switch life.withLock({ $0.take { $0.feed(content, link: link) } }) {
            case .asleep, .known: guard await isAwake() else { return }
            case .undone(let rejection):
                if let retry = rejection.retry {
                    link = retry
                } else {
                    guard let refused = content.refused(rejection.reason) else { return }
                    settings.observe(.effectRefused(id, cause: rejection.cause ?? rejection.reason))
                    (content, link) = (refused, .follow)
                }
            case .settled(let settlement):
                guard let kept = await kept(settlement) else { continue }
                if begins { noteKept(kept) }
                return
            }
        }
    }

    /// Lets all effects fail that are pending, before any of them begins.
    func failEffects(_ failure: EffectFailure) async {
        while let id = life.withLock({ $0.look { live in live.tree.work.first { $0.due == nil }?.id } }) {
            await feed(.result(id, .failure(failure)), beginning: false)
        }
    }

    /// - Returns: The revision that is kept, 0 where nothing came of it; nil where it has to be handed in again.
    private func kept(_ settlement: Settlement<Handled>) async -> Int? {
        do throws(SessionError) {
            guard let handled = try await settlement.kept() else { return nil }
            report(handled.snapshot)
            countEnding(handled.snapshot)
            return handled.snapshot.revision
        } catch {
            guard case .notRecorded(let cause) = error else { return 0 }
            // What cannot be kept now is kept later; until then the work counts as under way.
            settings.observe(.postponed(cause: cause))
            try? await settings.clock.sleep(until: settings.clock.now().advanced(by: .seconds(1)))
            return nil
        }
    }

    /// Wakes the session for what was handed in.
    ///
    /// - Returns: false where there is no session any more, or none that this server can restore.
    private func isAwake() async -> Bool {
        do throws(SessionError) {
            try await wake()
            return true
        } catch {
            return false
        }
    }

    private func outcome(
        of run: EffectRun, _ name: String, key: String, app: String
    ) async -> EffectOutcome {
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
}
