import Synchronization

/// The identity of one tree, from the time when the tree is built until it is dropped.
///
/// Each tree that is built gets a new lineage. A result that belongs to one tree is therefore never applied to another
/// tree, even if both trees reach the same revision.
struct Lineage: Equatable, Sendable {
    private static let count = Atomic(0)

    /// A lineage that belongs to no tree.
    static var none: Lineage { Lineage(number: 0) }

    private let number: Int

    init() {
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    private init(number: Int) {
        self.number = number
    }
}
