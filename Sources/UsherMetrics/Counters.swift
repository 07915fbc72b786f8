private import Glibc
internal import Synchronization

/// A counter: a number that only grows, of what happens too seldom for threads to contend for it.
package final class Counter: Sendable {
    private let number = Atomic(0)

    /// Begins at 0.
    package init() {}

    /// Adds to the count.
    ///
    /// - Parameter amount: The increment; not below 0.
    package func add(_ amount: Int = 1) {
        number.wrappingAdd(amount, ordering: .relaxed)
    }

    /// The count so far.
    package var value: Int { number.load(ordering: .relaxed) }
}

/// A row of counters that many threads add to: such as what happened, by how it ended.
///
/// Each thread adds in a stripe of its own, and a count is the sum over the stripes. An addition is one relaxed atomic
/// instruction on a cache line that no other object uses, and no other thread but by chance. Reading costs more, and sees
/// each count at a slightly different time.
package final class Counters: Sendable {
    /// The number of counters in a row.
    package static let capacity = 32

    // Written out: a generic type would look its length up at each addition.
    private typealias Stripe = InlineArray<40, Atomic<Int>>

    /// Unused numbers in front of each stripe: as many as fill a cache line.
    private static let padding = 8

    /// The number of stripes; a power of two.
    private static let stripeCount = 8

    private let stripes = InlineArray<8, Stripe> { _ in Stripe { _ in Atomic(0) } }

    /// All begin at 0.
    package init() {}

    /// Adds to a count.
    ///
    /// - Parameters:
    ///   - amount: The increment; not below 0.
    ///   - index: The counter's index, below the capacity.
    package func add(_ amount: Int = 1, at index: Int) {
        stripes[Self.threadStripe][Self.padding + index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// The count so far at an index.
    package subscript(index: Int) -> Int {
        (0..<Self.stripeCount).reduce(0) { $0 &+ stripes[$1][Self.padding + index].load(ordering: .relaxed) }
    }

    /// The calling thread's stripe: the same at each call, and another thread's as well where there are many.
    private static var threadStripe: Int {
        // Stacks are as far apart as they are large: the product's upper bits spread what their addresses share.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) >> 12 &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }
}
