/// The operating system's random source (`getrandom` on Linux).
package struct SystemRandom: RandomSource {
    /// Makes a source; all are alike.
    package init() {}

    /// 64 bits from the operating system.
    package func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
