/// How many coordinators a tree has seen.
public struct CoordinatorCounts: Equatable, Sendable {
    /// Started so far.
    public internal(set) var created = 0
    /// Ended so far, however they ended.
    public internal(set) var finished = 0
    /// Ended, and still in memory at the end of the input that ended them.
    public internal(set) var leaked = 0

    /// No coordinator yet.
    public init() {}

    /// In the tree now.
    public var live: Int { created - finished }
}

extension CoordinatorCounts {
    /// Makes counts.
    ///
    /// - Parameters:
    ///   - created: Started so far.
    ///   - finished: Ended so far.
    ///   - leaked: Ended, and still in memory.
    public init(created: Int, finished: Int, leaked: Int) {
        self.created = created
        self.finished = finished
        self.leaked = leaked
    }

    /// By how much counts have grown.
    public static func - (later: CoordinatorCounts, earlier: CoordinatorCounts) -> CoordinatorCounts {
        CoordinatorCounts(
            created: later.created - earlier.created, finished: later.finished - earlier.finished,
            leaked: later.leaked - earlier.leaked)
    }
}
