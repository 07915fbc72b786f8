private import Glibc
internal import Synchronization

/// A counter for events that are so rare that threads do not compete for the counter.
package final class Counter: Sendable {
    private let number = Atomic(0)

    package init() {}

    /// Increments the counter by an amount, which must not be negative.
    package func add(_ amount: Int = 1) {
        number.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { number.load(ordering: .relaxed) }
}

/// An array of counters for events that many threads count.
///
/// There are several copies of the array, the stripes. Each thread increments the counters of its stripe, and the value
/// of a counter is the sum over all stripes. An increment is one relaxed atomic instruction. No other object uses the
/// cache lines of a stripe, and threads rarely share a stripe. Reading costs more than incrementing, and reads each
/// stripe at a slightly different time.
package final class Counters: Sendable {
    /// The number of counters.
    package static let capacity = 32

    // The type is not generic, because a generic type would look up its length at each increment.
    private typealias Stripe = InlineArray<40, Atomic<Int>>

    /// The number of unused elements before each stripe, which fill up a cache line.
    private static let padding = 8

    /// The number of stripes, a power of two.
    private static let stripeCount = 8

    private let stripes = InlineArray<8, Stripe> { _ in Stripe { _ in Atomic(0) } }

    package init() {}

    /// Increments a counter by an amount, which must not be negative; the index must be below the capacity.
    package func add(_ amount: Int = 1, at index: Int) {
        stripes[Self.threadStripe][Self.padding + index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// The current value of a counter.
    package subscript(index: Int) -> Int {
        (0..<Self.stripeCount).reduce(0) { $0 &+ stripes[$1][Self.padding + index].load(ordering: .relaxed) }
    }

    /// The index of the calling thread's stripe; if there are many threads, several threads share a stripe.
    private static var threadStripe: Int {
        // The addresses of threads are at least the size of a stack apart. The upper bits of the product distribute the
        // threads over the stripes.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) >> 12 &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }
}
