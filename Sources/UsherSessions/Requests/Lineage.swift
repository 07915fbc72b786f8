import Synchronization

/// Identifies one tree, with all states that it reaches by its own inputs after it was built from the journal.
///
/// Each tree that is built begins a new lineage. A result about one tree is therefore never used for another, even if
/// both reach the same revision.
struct Lineage: Equatable, Sendable {
    private static let count = Atomic(0)

    /// The lineage of no tree.
    static var none: Lineage { Lineage(number: 0) }

    private let number: Int

    /// Begins a new lineage.
    init() {
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    private init(number: Int) {
        self.number = number
    }
}
