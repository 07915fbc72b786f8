import Synchronization
import UsherSessions

/// Random numbers that a test can foresee: 1, 2, 3 …, spread over all bits.
final class CountingRandom: RandomSource {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 {
        count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15
    }
}
