/// What a histogram has counted up to a time.
public struct Distribution: Equatable, Sendable {
    /// The largest value of each bucket, in ascending order.
    public let bounds: [Int]
    /// How many values came in each bucket, those beyond all bounds last.
    public let counts: [Int]
    /// The sum of all values.
    public let sum: Int
    /// How many of the values' unit make one of the unit that is shown.
    public let scale: Int

    /// How many values came.
    public var count: Int { counts.reduce(0, +) }
}
