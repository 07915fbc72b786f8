/// Numbers that only grow and that many threads count: such as what happened, by how it ended.
///
/// To count costs an atomic addition, and no thread waits for another.
package final class Counters: Sendable {
    private let lanes = Lanes()

    /// How many numbers there may be.
    package static let capacity = Lanes.capacity

    /// All begin at 0.
    package init() {}

    /// Counts.
    ///
    /// - Parameters:
    ///   - index: Which number, below the capacity.
    ///   - amount: How many more there are; not below 0.
    package func add(_ amount: Int = 1, at index: Int) {
        lanes.add(amount, at: index)
    }

    /// What was counted so far at a number.
    package subscript(index: Int) -> Int { lanes[index] }
}
