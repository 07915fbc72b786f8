/// The random numbers of one input, which depend only on the session's seed and the input's revision.
///
/// A replay of an input draws the same numbers. The algorithm is SplitMix64 (Steele, Lea, Flood: *Fast Splittable
/// Pseudorandom Number Generators*, OOPSLA 2014). Use the numbers for dice and shuffles, never for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64, revision: Int) {
        // Mix the seed twice, so that adjacent revisions do not draw overlapping parts of one sequence.
        var session = SeededGenerator(state: seed)
        var input = SeededGenerator(state: session.next() &+ UInt64(truncatingIfNeeded: revision))
        state = input.next()
    }

    private init(state: UInt64) {
        self.state = state
    }

    /// Returns the next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
