/// Counts values, such as durations, by their size, and adds the values up.
///
/// To record a value costs two atomic additions, and threads do not wait for each other.
package final class Histogram: Sendable {
    /// The largest value of each bucket, in ascending order; one more bucket has all larger values.
    package let bounds: [Int]
    /// The number by which a value is divided for display: 1,000,000,000 if nanoseconds are displayed as seconds.
    package let scale: Int
    /// The counts of the buckets, followed by the sum of the values.
    private let numbers = Counters()

    /// Creates an empty histogram, which uses only the first 30 bounds.
    package init(bounds: [Int], scale: Int = 1) {
        self.bounds = Array(bounds.prefix(Counters.capacity - 2))
        self.scale = scale
    }

    /// Creates a histogram of durations in nanoseconds, displayed in seconds, with bounds from 50 µs to one minute.
    package static func times() -> Histogram {
        let microseconds = [
            50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
            2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
        ]
        return Histogram(bounds: microseconds.map { $0 * 1_000 }, scale: 1_000_000_000)
    }

    /// Records a value.
    package func record(_ value: Int) {
        numbers.add(1, at: bucket(of: value))
        numbers.add(value, at: bounds.count + 1)
    }

    package var distribution: Distribution {
        Distribution(
            bounds: bounds, counts: (0...bounds.count).map { numbers[$0] }, sum: numbers[bounds.count + 1], scale: scale
        )
    }

    // The search is linear, because most values are small.
    private func bucket(of value: Int) -> Int {
        var index = 0
        while index < bounds.count, bounds[index] < value { index += 1 }
        return index
    }
}

/// A snapshot of a histogram.
package struct Distribution: Equatable, Sendable {
    /// The largest value of each bucket, in ascending order.
    package let bounds: [Int]
    /// The number of values in each bucket; the last bucket has all values above the bounds.
    package let counts: [Int]
    /// The sum of all values.
    package let sum: Int
    /// The number by which a value is divided for display.
    package let scale: Int

    /// The number of values.
    package var count: Int { counts.reduce(0, +) }
}
