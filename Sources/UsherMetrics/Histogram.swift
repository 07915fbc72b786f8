/// A histogram: counts of values by their size, and their sum; such as how long requests took.
///
/// Recording costs two atomic additions, and no thread waits for another.
package final class Histogram: Sendable {
    /// The largest value of each bucket, in ascending order; what is larger than all of them has a bucket of its own.
    package let bounds: [Int]
    /// The number of the values' units in one unit that is shown: 1,000,000,000 for nanoseconds and seconds.
    package let scale: Int
    /// A count for each bucket, and behind them the sum.
    private let numbers = Counters()

    /// Makes an empty histogram.
    ///
    /// - Parameters:
    ///   - bounds: The largest value of each bucket, ascending; 30 at most, further ones are left out.
    ///   - scale: The number of the values' units in one unit that is shown.
    package init(bounds: [Int], scale: Int = 1) {
        self.bounds = Array(bounds.prefix(Counters.capacity - 2))
        self.scale = scale
    }

    /// A histogram of times in nanoseconds, shown as seconds: from 50 microseconds to a minute.
    package static func times() -> Histogram {
        let microseconds = [
            50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
            2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
        ]
        return Histogram(bounds: microseconds.map { $0 * 1_000 }, scale: 1_000_000_000)
    }

    /// Counts a value.
    package func record(_ value: Int) {
        numbers.add(1, at: bucket(of: value))
        numbers.add(value, at: bounds.count + 1)
    }

    /// The counts and the sum so far.
    package var distribution: Distribution {
        Distribution(
            bounds: bounds, counts: (0...bounds.count).map { numbers[$0] }, sum: numbers[bounds.count + 1], scale: scale
        )
    }

    // From below: what is frequent is small.
    private func bucket(of value: Int) -> Int {
        var index = 0
        while index < bounds.count, bounds[index] < value { index += 1 }
        return index
    }
}

/// A histogram's counts at one time.
package struct Distribution: Equatable, Sendable {
    /// The largest value of each bucket, in ascending order.
    package let bounds: [Int]
    /// The number of values in each bucket, those beyond all bounds last.
    package let counts: [Int]
    /// The sum of all values.
    package let sum: Int
    /// The number of the values' units in one unit that is shown.
    package let scale: Int

    /// The number of values.
    package var count: Int { counts.reduce(0, +) }
}
