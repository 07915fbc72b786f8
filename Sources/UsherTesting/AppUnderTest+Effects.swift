public import Testing
public import Usher

extension AppUnderTest {
    /// Runs the effects that are pending, one after the other, and hands their results in; then those that these have
    /// begun, until none is left.
    ///
    /// Timers are left to `advance(by:)`.
    ///
    /// - Parameter sourceLocation: Where an issue is recorded.
    public func settle(sourceLocation: SourceLocation = #_sourceLocation) async {
        do {
            for _ in 0..<Self.roundLimit {
                let effects = pendingWork.filter { $0.due == nil }
                if effects.isEmpty { return }
                for effect in effects { try await settle(effect, sourceLocation) }
            }
            record("effects keep beginning effects: \(pending.joined(separator: ", "))", at: sourceLocation)
        } catch {
            record("the effects could not be run: \(error)", at: sourceLocation)
        }
    }

    /// Hands in a result for the effect of a type that has been pending longest, without running it.
    ///
    /// ```swift
    /// app.resolve(SignIn.self, .success(User(name: "kim")))
    /// app.resolve(SignIn.self, .failure(EffectFailure(code: "wrongPassword", message: "try again")))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The effect's type.
    ///   - result: What its closure gets.
    ///   - sourceLocation: Where an issue is recorded.
    public func resolve<E: Effect>(
        _ type: E.Type, _ result: Result<E.Output, EffectFailure>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            guard let effect = pendingWork.first(where: { $0.due == nil && $0.name == E.name }) else {
                let found = pending.isEmpty ? "nothing" : pending.joined(separator: ", ")
                return record("no effect \"\(E.name)\" is pending, but \(found)", at: sourceLocation)
            }
            let outcome = try E.outcome(of: result, limit: local?.outputLimit ?? Limits().outputBytes)
            end(effect, .result(effect.id, outcome), sourceLocation)
        } catch {
            record("the effect \"\(E.name)\" could not be resolved: \(error)", at: sourceLocation)
        }
    }

    /// Moves the session's clock, and with it the timers: each that comes due does so at its own time, the earliest
    /// first.
    ///
    /// The next input comes that much later.
    ///
    /// - Parameters:
    ///   - duration: By how much; a begun millisecond counts as a whole one.
    ///   - firingTimers: Whether timers come due; where not, they stay pending until they are handed in, or until the
    ///     clock is moved again.
    ///   - sourceLocation: Where an issue is recorded.
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
            record("timers keep coming due", at: sourceLocation)
        } catch {
            record("\(error)", at: sourceLocation)
        }
    }

    /// Effects that begin effects are followed so far.
    private static let roundLimit = 100
    /// Timers that come due within one move of the clock.
    private static let timerLimit = 10_000

    /// The work that the test has to do; none where a server does it.
    private var pendingWork: [Work] { local?.work ?? [] }

    private func settle(_ effect: Work, _ sourceLocation: SourceLocation) async throws {
        // The result of another may have cancelled it.
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
