extension Navigating where Self: AnyCoordinator {
    /// The time of the input that is being handled, and the only clock a coordinator may read.
    ///
    /// Outside of a tree it is the epoch.
    public var now: Timestamp {
        node?.tree.now ?? Timestamp(milliseconds: 0)
    }

    /// The session's random numbers, the same when the input is replayed.
    ///
    /// Not for secrets.
    ///
    /// ```swift
    /// let dice = Int.random(in: 1...6, using: &random)
    /// ```
    public var random: SeededGenerator {
        get { node?.tree.random ?? SeededGenerator(seed: 0, revision: 0) }
        set { node?.tree.random = newValue }
    }
}
