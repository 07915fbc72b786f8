import Usher
import UsherJournal

/// The states that a session has been in, by the digests with which an exploration tells states apart.
package struct SessionWalk: Sendable {
    /// The state after an input.
    package struct Step: Equatable, Sendable {
        /// The revision.
        package let revision: Int
        /// The input that has led there, such as `event close`; `create` for the first.
        package fileprivate(set) var input = ""
        /// The digest of its shape (`Tree.shape`); nil where a screen's state does not encode.
        package let shape: UInt64?
    }

    /// In the order of their revisions: the newest ones.
    package private(set) var steps: [Step] = []
    /// The entries before these.
    private var skipped: Int

    /// Makes an empty walk.
    ///
    /// - Parameters:
    ///   - limit: The number of steps at most.
    ///   - count: The number of entries to come.
    init(limit: Int, of count: Int) {
        skipped = max(0, count - limit)
    }

    /// Takes the shape of a tree after the next entry.
    mutating func take(_ tree: Tree) {
        guard skipped == 0 else { return skipped -= 1 }
        steps.append(Step(revision: tree.revision, shape: try? tree.shape(includingStates: false)))
    }

    /// Says which inputs have led there: those of the last entries.
    fileprivate mutating func name(by entries: [Entry]) {
        for (index, entry) in zip(steps.indices, entries.suffix(steps.count)) { steps[index].input = entry.summary }
    }
}

extension Replay {
    /// The states that the tree comes to.
    ///
    /// - Parameter limit: The number of steps at most, the newest.
    /// - Throws: `Divergence` at the first input that does not lead to the same; `ReplayError`.
    func walk(limit: Int) async throws -> SessionWalk {
        let history = try EffectiveHistory(entries)
        var walk = SessionWalk(limit: limit, of: history.entries.count)
        _ = try await tree(along: history, noting: &walk) { tree, walk in walk.take(tree) }
        walk.name(by: history.entries)
        return walk
    }
}
