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
