import UsherProcess

/// The limits of a replay, and of what is handled upon it, in a child process.
package struct TrialLimits: Sendable {
    /// The processor time in nanoseconds; and the time of a clock where the processor is not what it waits for.
    package let time: Int64
    /// Bytes by which the memory may grow.
    package let memory: Int

    /// The time that a trial may take which waits for the processor: others may have it.
    private var patience: Int64 { max(10 * time, 60_000_000_000) }

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - time: The time of a handler at most.
    ///   - memory: Bytes that an input may take.
    package init(time: Duration = .seconds(5), memory: Int = 256 * 1024 * 1024) {
        let (seconds, attoseconds) = time.components
        self.time = min(seconds, Self.longest) * 1_000_000_000 + attoseconds / 1_000_000_000
        self.memory = memory
    }

    /// Seconds after which a child ends of itself: a parent that has died ends nobody.
    var seconds: Int { min(Int(3 * patience / 1_000_000_000) + 10, Int(Self.longest)) }

    /// Seconds that a child lives at most: a day.
    static let longest: Int64 = 86_400

    /// The limit that a phase of a trial has gone beyond.
    ///
    /// - Parameters:
    ///   - start: The phase's beginning.
    ///   - now: The child as it stands.
    func excess(_ start: TrialMoment, _ now: TrialMoment) -> TrialExcess? {
        let (elapsed, used) = (now.time - start.time, now.processorTime - start.processorTime)
        if now.residentBytes - start.residentBytes > memory { return .memory }
        if used >= time { return .time }
        // A child that waits for a lock or a clock has not used the processor, and one that waits for the processor is to
        // have it first.
        if elapsed >= time, now.isWaiting, used < time / 2 { return .time }
        return elapsed >= patience ? .starved : nil
    }
}

/// The limit that a trial has gone beyond.
enum TrialExcess: Equatable {
    /// It loops or blocks.
    case time
    /// It allocates.
    case memory
    /// It did not get the processor: that is nobody's fault.
    case starved
}

/// A child process at a moment.
struct TrialMoment: Equatable {
    /// By the `MonotonicClock`.
    let time: Int64
    let processorTime: Int64
    /// Resident memory.
    var residentBytes: Int
    let isWaiting: Bool
}

extension TrialMoment {
    /// A running child now; nil for one that is gone.
    init?(_ process: ChildProcess) {
        guard let usage = ChildUsage(of: process) else { return nil }
        self.init(
            time: MonotonicClock.now, processorTime: usage.processorTime, residentBytes: usage.residentBytes,
            isWaiting: usage.isWaiting)
    }
}
