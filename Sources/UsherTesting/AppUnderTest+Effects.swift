public import Testing
public import Usher

extension AppUnderTest {
    /// Runs the pending effects one after the other and sends their results, until no effect is pending.
    ///
    /// The effects that begin in response to a result are run, too. To fire timers, use `advance(by:)`.
    public func settle(sourceLocation: SourceLocation = #_sourceLocation) async {
        do {
            for _ in 0..<Self.roundLimit {
                let effects = pendingWork.filter { $0.due == nil }
                if effects.isEmpty { return }
                for effect in effects { try await settle(effect, sourceLocation) }
            }
            record("effects keep starting new effects: \(pending.joined(separator: ", "))", at: sourceLocation)
        } catch {
            record("the effects could not be run: \(error)", at: sourceLocation)
        }
    }

    /// Sends a result for a pending effect without running the effect.
    ///
    /// If several effects of the type are pending, the result is for the effect that began first.
    ///
    /// ```swift
    /// app.resolve(SignIn.self, .success(User(name: "kim")))
    /// app.resolve(SignIn.self, .failure(EffectFailure(code: "wrongPassword", message: "try again")))
    /// ```
    public func resolve<E: Effect>(
        _ type: E.Type, _ result: Result<E.Output, EffectFailure>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            guard let effect = pendingWork.first(where: { $0.due == nil && $0.name == E.name }) else {
                let found = pending.isEmpty ? "nothing" : pending.joined(separator: ", ")
                return record("the effect \"\(E.name)\" is not pending; pending: \(found)", at: sourceLocation)
            }
            let outcome = try E.outcome(of: result, limit: local?.outputLimit ?? Limits().outputBytes)
            end(effect, .result(effect.id, outcome), sourceLocation)
        } catch {
            record("the effect \"\(E.name)\" could not be resolved: \(error)", at: sourceLocation)
        }
    }

    /// Advances the session's clock, and fires the timers that become due, earliest first, each at its own time.
    ///
    /// The clock advances by whole milliseconds, rounded up, and the next input has the new time. If `firingTimers` is
    /// false, the timers stay pending until the test sends them as inputs, or until the clock advances again.
    public func advance(
        by duration: Duration, firingTimers: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            guard firingTimers, let now = local?.now else { return try driver.advance(by: duration) }
            let end = now.advanced(by: duration)
            for _ in 0..<Self.timerLimit {
                guard let timer = nextTimer(until: end), let due = timer.due else { return try moveClock(to: end) }
                if due > local?.now ?? due { try moveClock(to: due) }
                self.end(timer, .timer(timer.id), sourceLocation)
            }
            record("timers keep firing", at: sourceLocation)
        } catch {
            record("\(error)", at: sourceLocation)
        }
    }

    /// The maximum number of rounds of effects; the result of an effect may begin further effects.
    private static let roundLimit = 100
    /// The maximum number of timers that fire within one call of `advance(by:)`.
    private static let timerLimit = 10_000

    /// The pending work that the test must end; empty if a server ends the work.
    private var pendingWork: [Work] { local?.work ?? [] }

    private func settle(_ effect: Work, _ sourceLocation: SourceLocation) async throws {
        // The result of another effect may have cancelled this effect.
        guard let local, local.work.contains(where: { $0.id == effect.id }) else { return }
        let outcome = try await local.run(effect)
        end(effect, .result(effect.id, outcome), sourceLocation)
    }

    private func nextTimer(until end: Timestamp) -> Work? {
        pendingWork.filter { $0.due.map { $0 <= end } ?? false }.min {
            ($0.due ?? end, $0.id) < ($1.due ?? end, $1.id)
        }
    }

    private func moveClock(to time: Timestamp) throws {
        guard let now = local?.now else { return }
        try driver.advance(by: .milliseconds(time.milliseconds - now.milliseconds))
    }
}
