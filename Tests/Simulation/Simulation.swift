/// A bug that is planted to see that the model finds its kind.
enum PlantedBug: String, CaseIterable {
    /// A group is acknowledged, and on the disk with the next one.
    case lostCommit
    /// The disk says that it has synchronized, and has not.
    case lostSync
    /// An effect's result counts twice.
    case doubledEffect
    /// A session is woken from a record without its newest change.
    case staleRecord
    /// What waits for a time is never woken.
    case leakedWait
    /// Another build than the first runs an effect again whose result is recorded.
    case repeatedEffect
    /// In another build than the first, a screen's id is another screen's.
    case otherScreen
    /// A build writes what it resumes though no input has come.
    case writtenAtWake
    /// In another build than the first, a timer counts twice.
    case doubledTimer
}

/// One run of a whole server with its clients, decided by one seed.
struct Simulation {
    let seed: UInt64
    let bug: PlantedBug?
    /// True where what happens is printed.
    var isTold = false

    /// The result of a run.
    struct Outcome {
        /// The contradiction; nil where all was as it must be.
        let contradiction: String?
        /// All decisions in one number.
        let digest: UInt64
    }

    /// A day of uptime, in milliseconds.
    private static let limit: Int64 = 24 * 3_600_000

    /// Runs it.
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
