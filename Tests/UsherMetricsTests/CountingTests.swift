import Foundation
import Synchronization
import Testing
import UsherMetrics

@Suite("Counting from many threads at once")
struct CountingTests {
    private static let threads = 8
    private static let times = 100_000

    @Test func `a counter counts every addition`() async {
        let counter = Counter()
        await onThreads { _ in counter.add() }
        #expect(counter.value == Self.threads * Self.times)
    }

    @Test func `an array of counters counts every addition at its index`() async {
        let counters = Counters()
        await onThreads { thread in
            counters.add(at: thread)
            counters.add(2, at: Counters.capacity - 1)
        }
        for thread in 0..<Self.threads { #expect(counters[thread] == Self.times) }
        #expect(counters[Counters.capacity - 1] == 2 * Self.threads * Self.times)
        #expect(counters[Self.threads] == 0)
    }

    @Test func `a histogram counts every value`() async {
        let histogram = Histogram(bounds: Array(0..<Self.threads - 1))
        await onThreads { thread in histogram.record(thread) }
        let distribution = histogram.distribution
        #expect(distribution.counts == Array(repeating: Self.times, count: Self.threads))
        #expect(distribution.count == Self.threads * Self.times)
        #expect(distribution.sum == Self.times * (0..<Self.threads).reduce(0, +))
    }

    @Test func `a histogram that is created with too many buckets keeps the first 30`() {
        let histogram = Histogram(bounds: Array(0..<100))
        histogram.record(99)
        #expect(histogram.bounds == Array(0..<30))
        #expect(histogram.distribution.counts.last == 1)
        #expect(histogram.distribution.sum == 99)
    }

    /// Runs a closure many times, on as many system threads as there are stripes.
    private func onThreads(_ body: @escaping @Sendable (Int) -> Void) async {
        await withCheckedContinuation { done in
            let left = CountDown(Self.threads) { done.resume() }
            for thread in 0..<Self.threads {
                Thread.detachNewThread {
                    for _ in 0..<Self.times { body(thread) }
                    left.arrive()
                }
            }
        }
    }
}

/// A countdown latch: calls back when a number of threads have arrived.
private final class CountDown: Sendable {
    private let left: Atomic<Int>
    private let end: @Sendable () -> Void

    init(_ count: Int, end: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.end = end
    }

    func arrive() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { end() }
    }
}
