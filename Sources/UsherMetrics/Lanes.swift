internal import Synchronization

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
