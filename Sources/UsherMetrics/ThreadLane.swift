private import Glibc

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
