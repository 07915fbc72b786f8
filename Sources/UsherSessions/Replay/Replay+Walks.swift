package import Usher
import UsherJournal

/// A session's memory at a revision.
package struct MemoryPoint: Equatable, Sendable {
    /// The revision.
    package let revision: Int
    /// The numbers of coordinators up to this revision.
    package let coordinators: CoordinatorCounts
    /// The size of the screens of all stacks as JSON, in bytes.
    package let bytes: Int
}

/// A state that a session has had, with the digest that identifies this state on the map of the app.
package struct WalkStep: Equatable, Sendable {
    /// The revision.
    package let revision: Int
    /// The input before the state, such as `event close`; `create` for the first state.
    package let input: String
    /// The digest of the state's shape (`Tree.shape`); `nil` if a screen's state cannot be encoded.
    package let shape: UInt64?
}

extension Replay {
    /// Returns the memory of the tree at some of its revisions after `place`, in order.
    ///
    /// At most `limit` points are evenly spaced, and include the first and the newest revision. At most `limit` further
    /// points show revisions at which an object leaked.
    ///
    /// - Throws: `Divergence` at the first input with another result; `ReplayError`.
    func memory(after place: Int, limit: Int) async throws -> [MemoryPoint] {
        var all: [MemoryPoint] = []
        _ = try await tree(along: EffectiveHistory(entries), noting: &all) { tree in
            guard tree.revision > place else { return nil }
            return MemoryPoint(
                revision: tree.revision, coordinators: tree.coordinatorCounts, bytes: tree.stateBytes)
        }
        // Reserves a place for the newest point, which may be additional to the evenly spaced ones.
        let others = max(1, limit - 1)
        let stride = max(1, (all.count + others - 1) / others)
        var points: [MemoryPoint] = []
        var leakPoints = 0
        for (index, point) in all.enumerated() {
            let isDue = index % stride == 0 || index == all.count - 1
            let isLeak = point.coordinators.leaked > points.last?.coordinators.leaked ?? 0 && leakPoints < limit
            guard isDue || isLeak else { continue }
            if !isDue { leakPoints += 1 }
            points.append(point)
        }
        return points
    }

    /// Returns the states that the tree reaches.
    ///
    /// - Parameter limit: The largest number of steps; the newest are returned.
    /// - Throws: `Divergence` at the first input with another result; `ReplayError`.
    func walk(limit: Int) async throws -> [WalkStep] {
        let history = try EffectiveHistory(entries)
        let newest = history.entries.suffix(limit)
        let first = newest.first?.revision ?? 0
        var shapes: [UInt64?] = []
        _ = try await tree(along: history, noting: &shapes) { tree in
            tree.revision < first ? nil : .some(try? tree.shape(includingStates: false))
        }
        return zip(newest, shapes).map { WalkStep(revision: $0.revision, input: $0.summary, shape: $1) }
    }
}
