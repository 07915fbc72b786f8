import Synchronization

/// The identity of one tree, from the time when it is built until it is dropped.
///
/// Each tree that is built gets a new lineage. A result about one tree is therefore never used for another tree, even
/// if both reach the same revision.
struct Lineage: Equatable, Sendable {
    private static let count = Atomic(0)

    /// The lineage that belongs to no tree.
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
