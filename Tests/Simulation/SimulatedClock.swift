import Usher
import UsherSessions

/// The clock of one process of a simulation: the scheduler's time until the process is killed.
final class SimulatedClock: Clock, @unchecked Sendable {  // because all runs on the scheduler's one thread
    private let scheduler: Scheduler
    private var sleepers: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var next = 0
    private var isStopped = false
    /// For a planted bug, one in so many sleepers is never woken.
    private let forgetsOneIn: Int?

    init(_ scheduler: Scheduler, forgetsOneIn count: Int? = nil) {
        self.scheduler = scheduler
        forgetsOneIn = count
    }

    func now() -> Timestamp { Timestamp(milliseconds: scheduler.timeOfDay) }

    var uptime: Int64 { scheduler.uptime }

    func sleep(until time: Timestamp) async throws {
        // Waits in steps, like the system's clock, because the time of day may be set in the meantime.
        repeat {
            try await rest(milliseconds: min(max(0, time.milliseconds - scheduler.timeOfDay), 60_000))
        } while scheduler.timeOfDay < time.milliseconds
    }

    func sleep(untilUptime uptime: Int64) async throws {
        next += 1
        let number = next
        let hasSlept = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !isStopped, !Task.isCancelled else { return continuation.resume(returning: false) }
                sleepers[number] = continuation
                if let forgetsOneIn, scheduler.oneIn(forgetsOneIn) { return }
                scheduler.at(uptime) { self.wake(number, hasSlept: true) }
            }
        } onCancel: {
            wake(number, hasSlept: false)
        }
        guard hasSlept else { throw CancellationError() }
    }

    /// Waits for a number of milliseconds.
    func rest(milliseconds: Int64) async throws {
        try await sleep(untilUptime: uptime + milliseconds)
    }

    /// Waits for a random time.
    func rest(upTo limit: Int64) async throws {
        try await rest(milliseconds: scheduler.number(in: 0...limit))
    }

    /// Wakes all sleepers, because the process has ended.
    func stop() {
        isStopped = true
        for number in sleepers.keys.sorted() { wake(number, hasSlept: false) }
    }

    private func wake(_ number: Int, hasSlept: Bool) {
        sleepers.removeValue(forKey: number)?.resume(returning: hasSlept)
    }
}
