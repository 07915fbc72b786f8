package import Usher
import UsherJournal

/// A session's memory over all its revisions, as one replay finds it.
package struct MemoryHistory: Sendable {
    /// The memory after an input.
    package struct Point: Equatable, Sendable {
        /// The revision.
        package let revision: Int
        /// The coordinators until then.
        package let coordinators: CoordinatorCounts
        /// Bytes of state on all stacks.
        package let bytes: Int
    }

    /// In the order of their revisions: evenly spread over these, with the first, the newest, and those at which
    /// something leaked.
    package private(set) var points: [Point] = []

    /// Entries from one point to the next.
    private let stride: Int
    private let limit: Int
    private let count: Int
    private let place: Int
    private var taken = 0
    private var leakPoints = 0

    /// Makes an empty history.
    ///
    /// - Parameters:
    ///   - limit: The number of points at most that are spread evenly; of those that tell of a leak there may be as many.
    ///   - place: The revision behind which the points begin.
    ///   - count: The number of entries to come behind it.
    init(limit: Int, after place: Int, of count: Int) {
        self.limit = limit
        self.place = place
        self.count = count
        // The first is always there, and the newest behind so many others.
        let others = max(1, limit - 1)
        stride = max(1, (count + others - 1) / others)
    }

    /// Takes the memory of a tree after the next entry.
    mutating func take(_ tree: Tree) {
        guard tree.revision > place else { return }
        let coordinators = tree.coordinatorCounts
        let isLeak = coordinators.leaked > points.last?.coordinators.leaked ?? 0 && leakPoints < limit
        let isDue = taken % stride == 0 || taken == count - 1
        taken += 1
        guard isDue || isLeak else { return }
        if !isDue { leakPoints += 1 }
        points.append(Point(revision: tree.revision, coordinators: coordinators, bytes: tree.stateBytes))
    }
}

extension Replay {
    /// The memory of the tree after each entry.
    ///
    /// - Parameters:
    ///   - place: The revision behind which the points begin.
    ///   - limit: The number of points at most, beside those that tell of a leak.
    /// - Throws: `Divergence` at the first input that does not lead to the same; `ReplayError`.
    func memory(after place: Int, limit: Int) async throws -> MemoryHistory {
        let history = try EffectiveHistory(entries)
        var memory = MemoryHistory(
            limit: limit, after: place, of: history.entries.count { $0.revision > place })
        _ = try await tree(along: history, noting: &memory) { tree, memory in memory.take(tree) }
        return memory
    }
}
