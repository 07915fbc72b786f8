package import UsherJSON

/// The counts of the coordinators that a tree has seen.
package struct CoordinatorCounts: Equatable, Sendable {
    /// Started so far.
    package internal(set) var created = 0
    /// Ended so far, however they ended.
    package internal(set) var finished = 0
    /// Ended, and still in memory at the end of the input that ended them.
    package internal(set) var leaked = 0

    /// No coordinator yet.
    package init() {}

    /// In the tree now.
    package var live: Int { created - finished }
}

extension CoordinatorCounts {
    /// Makes counts.
    ///
    /// - Parameters:
    ///   - created: Started so far.
    ///   - finished: Ended so far.
    ///   - leaked: Ended, and still in memory.
    package init(created: Int, finished: Int, leaked: Int) {
        self.created = created
        self.finished = finished
        self.leaked = leaked
    }

    /// By how much counts have grown.
    package static func - (later: CoordinatorCounts, earlier: CoordinatorCounts) -> CoordinatorCounts {
        CoordinatorCounts(
            created: later.created - earlier.created, finished: later.finished - earlier.finished,
            leaked: later.leaked - earlier.leaked)
    }
}

extension CoordinatorCounts {
    /// Appends the counts as one object.
    ///
    /// - Parameter writer: Where to append.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for (name, count) in [("live", live), ("created", created), ("finished", finished), ("leaked", leaked)] {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
    }
}
