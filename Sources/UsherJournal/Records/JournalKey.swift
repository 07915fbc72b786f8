/// Which session a record belongs to: 128 bits.
package struct JournalKey: Hashable, Sendable {
    /// The first 64 bits.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - high: The first 64 bits.
    ///   - low: The last 64 bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension JournalKey: Comparable {
    /// The order of their bits.
    package static func < (left: JournalKey, right: JournalKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
