package import Usher

/// The source of the time of day; a test puts in its own.
package protocol Clock: Sendable {
    /// The time of day now.
    func now() -> Timestamp

    /// Waits for a time of day.
    ///
    /// - Parameter time: The time; one that has passed is not waited for.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(until time: Timestamp) async throws
}

/// The source of session ids and seeds; a test puts in its own.
package protocol RandomSource: Sendable {
    /// 64 bits that nobody can guess.
    func next() -> UInt64
}

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
