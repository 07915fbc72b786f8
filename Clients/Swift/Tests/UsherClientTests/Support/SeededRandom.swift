import Synchronization

/// A random number generator with a seed (SplitMix64).
final class SeededRandom: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: Int) {
        state = Mutex(UInt64(truncatingIfNeeded: seed))
    }

    /// Returns a random number from 0 up to, but not including, 1.
    func next() -> Double {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
        }
    }
}
