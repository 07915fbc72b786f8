package import Usher
import UsherJournal

/// A session's memory at its revisions, computed by one replay.
package struct MemoryHistory: Sendable {
    /// The memory after one input.
    package struct Point: Equatable, Sendable {
        /// The revision.
        package let revision: Int
        /// The numbers of coordinators up to this revision.
        package let coordinators: CoordinatorCounts
        /// The size of the state of all stacks, in bytes.
        package let bytes: Int
    }

    /// The points in the order of their revisions.
    ///
    /// They are evenly spaced. In addition, they include the first and newest revisions, and those at which something
    /// leaked.
    package private(set) var points: [Point] = []

    /// The number of entries between two points.
    private let stride: Int
    private let limit: Int
    private let count: Int
    private let place: Int
    private var taken = 0
    private var leakPoints = 0

    /// Creates an empty history.
    ///
    /// - Parameters:
    ///   - limit: The largest number of evenly spaced points, and also the largest number of additional points for
    ///     leaks.
    ///   - place: The revision after which the points begin.
    ///   - count: The number of entries after that revision.
    init(limit: Int, after place: Int, of count: Int) {
        self.limit = limit
        self.place = place
        self.count = count
        // The first and the newest point are always included, and the newest may not be at a regular distance.
        let others = max(1, limit - 1)
        stride = max(1, (count + others - 1) / others)
    }

    /// Adds a point for the tree after the next entry, if a point is due there.
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
    /// Returns the memory of the tree after each entry.
    ///
    /// - Parameters:
    ///   - place: The revision after which the points begin.
    ///   - limit: The largest number of points, without those for leaks.
    /// - Throws: `Divergence` at the first input with another result; `ReplayError`.
    func memory(after place: Int, limit: Int) async throws -> MemoryHistory {
        let history = try EffectiveHistory(entries)
        var memory = MemoryHistory(
            limit: limit, after: place, of: history.entries.count { $0.revision > place })
        _ = try await tree(along: history, noting: &memory) { tree, memory in memory.take(tree) }
        return memory
    }
}
