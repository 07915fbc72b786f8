import SeededRandom

/// The scheduler of a simulation: it decides from a seed which of the jobs that are ready is next, and when time moves on.
///
/// Every task of the process runs in steps on one thread (`ExecutorHook`). Nothing may use a thread of its own,
/// `Task.sleep` or the system's clock; what would is injected.
final class Scheduler: @unchecked Sendable {  // because all that uses it runs on the one thread that drives it
    /// Something that is done at a time.
    private struct Alarm {
        let time: Int64
        let number: Int
        let ring: () -> Void

        func isEarlier(than other: Alarm) -> Bool { (time, number) < (other.time, other.number) }
    }

    /// The random numbers of all decisions.
    var random: SplitMix64
    /// The time since the machine started, in milliseconds; nobody sets it.
    private(set) var uptime: Int64 = 0
    /// By how much the time of day was set, in milliseconds.
    var skew: Int64 = 0 {
        didSet { farthestSkew = max(farthestSkew, skew) }
    }
    /// The farthest that the time of day was set ahead, in milliseconds.
    private(set) var farthestSkew: Int64 = 0
    /// All decisions so far in one number: the same for the same seed.
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    private var ready: [ReadyJob] = []
    private var alarms: [Alarm] = []
    private var nextAlarm = 0
    private var machines: [() -> Bool] = []
    /// Steps since the time last moved on.
    private var steps = 0
    /// True where what happens is printed.
    private let isTold: Bool

    /// Steps after which what moves no time on is taken for a loop without an end.
    private static let patience = 200_000
    /// The time of day at the start: milliseconds since 1970.
    private static let start: Int64 = 1_000_000_000_000

    init(seed: UInt64, isTold: Bool = false) {
        self.isTold = isTold
        random = SplitMix64(seed: seed)
    }

    /// The time of day: milliseconds since 1970.
    var timeOfDay: Int64 { Self.start + uptime + skew }

    /// Runs a body, and then all that comes of it, until nothing is left to do.
    ///
    /// - Parameter limit: The uptime at which it ends although something is left.
    /// - Returns: False where something was left.
    func run(until limit: Int64, _ body: () -> Void) -> Bool {
        ExecutorHook.shared.scheduler = self
        defer {
            ExecutorHook.shared.scheduler = nil
            // They hold what holds this.
            (machines, alarms) = ([], [])
        }
        body()
        while uptime <= limit, steps < Self.patience {
            guard step() else { return true }
        }
        return false
    }

    /// Tells what happens, where somebody listens.
    func tell(_ text: @autoclosure () -> String) {
        if isTold { print("\(uptime) ms  \(text())") }
    }

    /// Adds something that works in steps, as a thread would.
    ///
    /// - Parameter machine: Makes a step; false where there is nothing to do.
    func add(_ machine: @escaping () -> Bool) { machines.append(machine) }

    /// Has something done at an uptime.
    func at(_ time: Int64, _ ring: @escaping () -> Void) {
        nextAlarm += 1
        alarms.append(Alarm(time: time, number: nextAlarm, ring: ring))
    }

    /// Takes in a job that can run.
    func enqueue(_ job: ReadyJob) { ready.append(job) }

    /// A random number.
    func number(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    /// True once in so many times.
    func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// Mixes a fact into the digest.
    func note(_ fact: some BinaryInteger) {
        digest = (digest ^ UInt64(truncatingIfNeeded: fact)) &* 0x0000_0100_0000_01b3
    }

    /// Does one thing.
    ///
    /// - Returns: False where there is nothing left to do.
    private func step() -> Bool {
        note(ready.count)
        steps += 1
        // Machines get their turn among the jobs, sometimes late: then more is in one commit.
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
