import Usher
import UsherJournal

/// The states through which a session has gone, with the digests by which an exploration distinguishes states.
package struct SessionWalk: Sendable {
    /// The state after one input.
    package struct Step: Equatable, Sendable {
        /// The revision.
        package let revision: Int
        /// The input before the state, such as `event close`; `create` for the first state.
        package fileprivate(set) var input = ""
        /// The digest of the state's shape (`Tree.shape`); `nil` if a screen's state cannot be encoded.
        package let shape: UInt64?
    }

    /// The newest steps, in the order of their revisions.
    package private(set) var steps: [Step] = []
    /// The number of entries to skip before the steps.
    private var skipped: Int

    /// Creates an empty walk.
    ///
    /// - Parameters:
    ///   - limit: The largest number of steps.
    ///   - count: The number of entries.
    init(limit: Int, of count: Int) {
        skipped = max(0, count - limit)
    }

    /// Adds a step for the tree after the next entry, unless the entry is skipped.
    mutating func take(_ tree: Tree) {
        guard skipped == 0 else { return skipped -= 1 }
        steps.append(Step(revision: tree.revision, shape: try? tree.shape(includingStates: false)))
    }

    /// Sets the inputs of the steps, which are the inputs of the last entries.
    fileprivate mutating func name(by entries: [Entry]) {
        for (index, entry) in zip(steps.indices, entries.suffix(steps.count)) { steps[index].input = entry.summary }
    }
}

extension Replay {
    /// Returns the states that the tree reaches.
    ///
    /// - Parameter limit: The largest number of steps; the walk keeps the newest.
    /// - Throws: `Divergence` at the first input with another result; `ReplayError`.
    func walk(limit: Int) async throws -> SessionWalk {
        let history = try EffectiveHistory(entries)
        var walk = SessionWalk(limit: limit, of: history.entries.count)
        _ = try await tree(along: history, noting: &walk) { tree, walk in walk.take(tree) }
        walk.name(by: history.entries)
        return walk
    }
}
