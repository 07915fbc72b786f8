internal import Synchronization
private import Glibc

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

/// Numbers that many threads add to, each thread in a lane of its own; what was counted is the sum of the lanes.
///
/// An addition is one relaxed atomic instruction on a cache line that no other object uses, and no other thread but by
/// chance. Reading costs more, and sees each number at a slightly different time.
struct Lanes: ~Copyable, Sendable {
    /// How many numbers there are.
    static let capacity = 32

    // Written out: a generic type would look its length up at each addition.
    private typealias Lane = InlineArray<40, Atomic<Int>>

    /// Numbers that nobody uses in front of each lane: as many as fill a cache line.
    private static let gap = 8

    private let lanes = InlineArray<8, Lane> { _ in Lane { _ in Atomic(0) } }

    /// Adds to a number.
    ///
    /// - Parameter index: Which, below the capacity.
    func add(_ amount: Int, at index: Int) {
        lanes[ThreadLane.current][Self.gap + index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// What was counted at a number.
    subscript(index: Int) -> Int {
        (0..<ThreadLane.count).reduce(0) { $0 &+ lanes[$1][Self.gap + index].load(ordering: .relaxed) }
    }
}

/// Which of a few lanes a thread counts in, so that threads seldom write to the same cache line.
enum ThreadLane {
    /// How many lanes there are; a power of two.
    static let count = 8

    /// The calling thread's: the same at each call, and another thread's as well where there are many.
    static var current: Int {
        // Stacks are as far apart as they are large: the product's upper bits spread what their addresses share.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) >> 12 &* 0x9E37_79B9_7F4A_7C15) >> 61)
    }
}
