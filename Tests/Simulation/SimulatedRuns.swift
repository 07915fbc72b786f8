import Usher
import UsherSessions

/// The isolated runs of a simulation, which run in the same process: a trap is only recorded.
final class SimulatedRuns: IsolatedRunner, @unchecked Sendable {  // because all runs on the scheduler's one thread
    private let scheduler: Scheduler
    private let clock: SimulatedClock
    private let app: any App.Type

    init(_ scheduler: Scheduler, _ clock: SimulatedClock, _ app: any App.Type) {
        self.scheduler = scheduler
        self.clock = clock
        self.app = app
    }

    var width: Int { 1 }

    func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome] {
        var outcomes: [IsolatedOutcome] = []
        for run in runs { outcomes.append(await outcome(of: run)) }
        return outcomes
    }

    private func outcome(of run: IsolatedRun) async -> IsolatedOutcome {
        // Some runs take long.
        do { try await clock.rest(upTo: scheduler.oneIn(8) ? 20_000 : 500) } catch {
            return .untried(reason: "the process has ended")
        }
        guard !scheduler.oneIn(8) else { return .untried(reason: "no child can be started") }
        let witness = TrapWitness()
        let end = await TrapWitness.$current.withValue(witness) { await run.end(in: [app]) }
        scheduler.tell("isolated run: \(witness.hasTrapped ? "traps" : "survives")")
        return witness.hasTrapped ? .crashes(Crash("SIGILL")) : .ended(end)
    }
}

/// Records whether the app's code traps in an isolated run.
final class TrapWitness: @unchecked Sendable {  // because all runs on the scheduler's one thread
    /// The witness of the current isolated run; nil if the code runs in a server.
    @TaskLocal static var current: TrapWitness?

    var hasTrapped = false
}
