import Synchronization

/// A clock whose pauses take a hundredth of their time.
///
/// Deadlines, which have a tolerance, keep their full time, because the machine may be busy.
final class HastyClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let divisor: Int
    private let deadlineDivisor: Int
    private let recorded = Mutex<[Duration]>([])

    init(divisor: Int = 100, deadlineDivisor: Int = 1) {
        self.divisor = divisor
        self.deadlineDivisor = deadlineDivisor
    }

    /// The requested pauses, in order.
    var pauses: [Duration] { recorded.withLock { $0 } }

    var now: Instant { .now }
    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        if tolerance == nil { recorded.withLock { $0.append(pause) } }
        try await Task.sleep(for: pause / (tolerance == nil ? divisor : deadlineDivisor), clock: .continuous)
    }
}
