import UsherSessions

/// The trials of a simulation, which are made in its process: a trap there only leaves a note.
final class SimulatedTrials: TrialRunner, @unchecked Sendable {  // because all runs on the scheduler's one thread
    private let scheduler: Scheduler
    private let clock: SimulatedClock

    init(_ scheduler: Scheduler, _ clock: SimulatedClock) {
        self.scheduler = scheduler
        self.clock = clock
    }

    func verdict(on trial: Trial) async -> TrialVerdict {
        // Now and then longer than a request waits for a verdict.
        do { try await clock.rest(upTo: scheduler.oneIn(8) ? 20_000 : 500) } catch {
            return .untried(reason: "the process has ended")
        }
        guard !scheduler.oneIn(8) else { return .untried(reason: "no child can be started") }
        let witness = TrialWitness()
        let run = TrialRun(trial, apps: [LogApp.self])
        _ = await TrialWitness.$current.withValue(witness) { await run.ending() }
        scheduler.tell("trial: \(witness.hasTrapped ? "traps" : "survives")")
        return witness.hasTrapped ? .crashes(Crash("SIGILL")) : .survives
    }
}

/// The witness of a trial: it sees whether author's code traps.
final class TrialWitness: @unchecked Sendable {  // because all runs on the scheduler's one thread
    /// That of the trial in which this code runs; nil where it runs in a server.
    @TaskLocal static var current: TrialWitness?

    var hasTrapped = false
}
