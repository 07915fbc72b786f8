/// How often values came, by their size, and their sum: such as how long requests took.
///
/// Recording costs two atomic additions, and no thread waits for another.
package final class Histogram: Sendable {
    /// The largest value of each bucket, in ascending order; what is larger than all of them has a bucket of its own.
    package let bounds: [Int]
    /// How many of the values' unit make one of the unit that is shown: 1,000,000,000 for nanoseconds and seconds.
    package let scale: Int
    private let lanes = Lanes()

    /// Makes a histogram in which nothing has come yet.
    ///
    /// - Parameters:
    ///   - bounds: The largest value of each bucket, ascending; 30 at most, further ones are left out.
    ///   - scale: How many of the values' unit make one of the unit that is shown.
    package init(bounds: [Int], scale: Int = 1) {
        self.bounds = Array(bounds.prefix(Lanes.capacity - 2))
        self.scale = scale
    }

    /// Counts a value.
    package func record(_ value: Int) {
        lanes.add(1, at: bucket(of: value))
        lanes.add(value, at: bounds.count + 1)
    }

    /// What has come so far.
    package var distribution: Distribution {
        Distribution(
            bounds: bounds, counts: (0...bounds.count).map { lanes[$0] }, sum: lanes[bounds.count + 1], scale: scale)
    }

    // From below: what is frequent is small.
    private func bucket(of value: Int) -> Int {
        var index = 0
        while index < bounds.count, bounds[index] < value { index += 1 }
        return index
    }
}

extension Histogram {
    /// A histogram of times in nanoseconds, shown as seconds: from 50 microseconds to a minute.
    package static func times() -> Histogram {
        let microseconds = [
            50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
            2_500_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
        ]
        return Histogram(bounds: microseconds.map { $0 * 1_000 }, scale: 1_000_000_000)
    }
}

/// What a histogram has counted up to a time.
package struct Distribution: Equatable, Sendable {
    /// The largest value of each bucket, in ascending order.
    package let bounds: [Int]
    /// How many values came in each bucket, those beyond all bounds last.
    package let counts: [Int]
    /// The sum of all values.
    package let sum: Int
    /// How many of the values' unit make one of the unit that is shown.
    package let scale: Int

    /// How many values came.
    package var count: Int { counts.reduce(0, +) }
}
