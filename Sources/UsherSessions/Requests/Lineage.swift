import Synchronization

/// The states that a tree comes to by its own inputs, after it has read the journal.
///
/// Each tree that is built begins another lineage. So a finding about one lineage is never taken for one about another, even
/// if both come to the same revision.
struct Lineage: Equatable, Sendable {
    private static let count = Atomic(0)

    /// No tree's.
    static var none: Lineage { Lineage(number: 0) }

    private let number: Int

    /// Begins a lineage.
    init() {
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    private init(number: Int) {
        self.number = number
    }
}
