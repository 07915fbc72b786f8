internal import Synchronization

/// A number that only grows, of what happens too seldom for threads to get in each other's way.
package final class Counter: Sendable {
    private let number = Atomic(0)

    /// Begins at 0.
    package init() {}

    /// Counts.
    ///
    /// - Parameter amount: How many more there are; not below 0.
    package func add(_ amount: Int = 1) {
        number.wrappingAdd(amount, ordering: .relaxed)
    }

    /// What was counted so far.
    package var value: Int { number.load(ordering: .relaxed) }
}
