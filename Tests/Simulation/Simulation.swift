/// A bug that is planted to prove that the model detects its kind.
enum PlantedBug: String, CaseIterable {
    /// A group is acknowledged, but written only with the next group.
    case lostCommit
    /// The disk reports a synchronization that it has not made.
    case lostSync
    /// An effect's result counts twice.
    case doubledEffect
    /// A session is restored from a record without its newest change.
    case staleRecord
    /// A sleeper is never woken.
    case leakedWait
    /// A later build repeats an effect whose result is recorded.
    case repeatedEffect
    /// In a later build, the id of a screen belongs to another screen.
    case otherScreen
    /// A build writes a resumption before there is an input.
    case writtenAtWake
    /// In a later build, a timer counts twice.
    case doubledTimer
}

/// One run of a whole server with its clients, determined by a seed.
struct Simulation {
    let seed: UInt64
    let bug: PlantedBug?
    /// Whether events are printed.
    var isTold = false

    /// The result of a run.
    struct Outcome {
        /// The contradiction; nil if there was none.
        let contradiction: String?
        /// A hash of all decisions.
        let digest: UInt64
    }

    /// A day of uptime, in milliseconds.
    private static let limit: Int64 = 24 * 3_600_000

    /// Runs the simulation.
    func run() -> Outcome {
        let scheduler = Scheduler(seed: seed, isTold: isTold)
        let verdict = Verdict()
        let isOver = scheduler.run(until: Self.limit) {
            Task.detached {
                do {
                    let world = try World(scheduler, bug: bug)
                    defer { world.end() }
                    try await world.play()
                } catch {
                    verdict.contradiction = "\(error)"
                }
                verdict.isOver = true
            }
        }
        let hangs = "something never came to its end"
        let found = verdict.contradiction ?? (isOver && verdict.isOver ? nil : hangs)
        return Outcome(contradiction: found, digest: scheduler.digest)
    }

    private final class Verdict: @unchecked Sendable {  // because all runs on the scheduler's one thread
        var contradiction: String?
        var isOver = false
    }
}
