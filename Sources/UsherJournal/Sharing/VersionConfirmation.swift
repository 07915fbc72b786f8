import Synchronization

/// A journal's word, within a request, that a record is still the one that a tree knows: to be waited for.
///
/// It is the word on one state of the tree, and not on the chain: that may have been overtaken and have caught up by the time
/// at which the journal says that it has another version.
package final class VersionConfirmation: Sendable {
    /// Done once the journal has answered.
    package let commit = Commit()
    private let chain: WriteChain
    /// The number of times that others had overtaken the tree when it was asked; nil where the tree was behind by then, for
    /// who overtakes it does not wait for the request that looks at it.
    private let overtakings: Int?
    private let isGiven = Atomic(false)

    /// Asks on behalf of a tree as it stands, its changes that are under way included.
    ///
    /// - Parameter chain: The chain of its writes.
    package init(at chain: WriteChain) {
        self.chain = chain
        overtakings = chain.overtakings
    }

    /// True while the tree has only its own changes upon what it showed.
    package var holds: Bool {
        guard let overtakings, !chain.isBroken else { return false }
        return chain.overtakings == overtakings
    }

    /// True once the journal has confirmed it.
    package var isConfirmed: Bool { isGiven.load(ordering: .acquiring) }

    /// Ends the wait for it.
    ///
    /// - Parameter isConfirmed: False where others have written, or nobody knows.
    package func end(_ isConfirmed: Bool) {
        isGiven.store(isConfirmed, ordering: .releasing)
        commit.finish()
    }
}
