import SeededRandom

/// The scheduler of a simulation, which uses a seed to choose the next job and to decide when time advances.
///
/// Every task of the process runs in steps on one thread (`ExecutorHook`). No code may use its own threads,
/// `Task.sleep` or the system's clock; their replacements are injected.
final class Scheduler: @unchecked Sendable {  // because all that uses it runs on the one thread that drives it
    /// An action at a time.
    private struct Alarm {
        let time: Int64
        let number: Int
        let ring: () -> Void

        func isEarlier(than other: Alarm) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// The random numbers for all decisions.
    var random: SplitMix64
    /// The time since the machine started, in milliseconds, which cannot be set.
    private(set) var uptime: Int64 = 0
    /// The milliseconds by which the time of day was set ahead.
    var skew: Int64 = 0 {
        didSet { farthestSkew = max(farthestSkew, skew) }
    }
    /// The largest value of `skew` so far.
    private(set) var farthestSkew: Int64 = 0
    /// A hash of all decisions so far, which is the same for the same seed.
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    private var ready: [ReadyJob] = []
    private var alarms: [Alarm] = []
    private var nextAlarm = 0
    private var machines: [() -> Bool] = []
    /// The number of steps since the time last advanced.
    private var steps = 0
    /// A Boolean value that indicates whether events are printed.
    private let isTold: Bool

    /// The number of steps without an advance of time after which the simulation counts as an endless loop.
    private static let patience = 200_000
    /// The time of day at the start, in milliseconds since 1970.
    private static let start: Int64 = 1_000_000_000_000

    init(seed: UInt64, isTold: Bool = false) {
        self.isTold = isTold
        random = SplitMix64(seed: seed)
    }

    /// The time of day, in milliseconds since 1970.
    var timeOfDay: Int64 { Self.start + uptime + skew }

    /// Runs a closure, and then everything that it started, until nothing is left to do.
    ///
    /// - Parameter limit: The uptime at which the run ends even if work is left.
    /// - Returns: `false` if work is left.
    func run(until limit: Int64, _ body: () -> Void) -> Bool {
        ExecutorHook.shared.scheduler = self
        defer {
            ExecutorHook.shared.scheduler = nil
            // Break the retain cycles.
            (machines, alarms) = ([], [])
        }
        body()
        while uptime <= limit, steps < Self.patience {
            guard step() else { return true }
        }
        return false
    }

    /// Prints an event if events are printed.
    func tell(_ text: @autoclosure () -> String) {
        if isTold { print("\(uptime) ms  \(text())") }
    }

    /// Adds an object that works in steps, as a thread would.
    ///
    /// - Parameter machine: Makes a step; returns `false` if there is nothing to do.
    func add(_ machine: @escaping () -> Bool) { machines.append(machine) }

    /// Runs a closure at an uptime.
    func at(_ time: Int64, _ ring: @escaping () -> Void) {
        nextAlarm += 1
        alarms.append(Alarm(time: time, number: nextAlarm, ring: ring))
    }

    /// Adds a job that is ready to run.
    func enqueue(_ job: ReadyJob) { ready.append(job) }

    /// Returns a random number.
    func number(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    /// Returns `true` with a probability of one in `count`.
    func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// Adds a number to the digest.
    func note(_ fact: some BinaryInteger) {
        digest = (digest ^ UInt64(truncatingIfNeeded: fact)) &* 0x0000_0100_0000_01b3
    }

    /// Makes one step.
    ///
    /// - Returns: `false` if there is nothing left to do.
    private func step() -> Bool {
        note(ready.count)
        steps += 1
        // Machines usually run before jobs. Sometimes they run later, so that one commit contains more.
        let canWait = !ready.isEmpty
        if !(canWait && oneIn(2)), runMachine() { return true }
        guard !ready.isEmpty else { return ring() }
        let index = oneIn(4) ? Int.random(in: 0..<ready.count, using: &random) : 0
        note(index)
        ready.remove(at: index).run()
        return true
    }

    private func runMachine() -> Bool {
        for index in machines.indices where machines[index]() {
            note(index)
            return true
        }
        return false
    }

    private func ring() -> Bool {
        guard let next = alarms.indices.min(by: { alarms[$0].isEarlier(than: alarms[$1]) }) else { return false }
        let alarm = alarms.remove(at: next)
        if alarm.time > uptime { steps = 0 }
        uptime = max(uptime, alarm.time)
        note(uptime)
        alarm.ring()
        return true
    }
}
