/// The operating system's random source (`getrandom` on Linux).
public struct SystemRandom: RandomSource {
    /// Makes a source; all are alike.
    public init() {}

    /// 64 bits from the operating system.
    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
