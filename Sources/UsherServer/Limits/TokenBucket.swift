/// A token bucket: so much may be taken at once, and comes back at a rate.
///
/// It may be overdrawn by the last that is taken, of which the size is known only afterwards.
struct TokenBucket {
    private var tokens: Double
    private var time: Int64

    /// Makes a full one.
    ///
    /// - Parameters:
    ///   - capacity: The tokens that it holds.
    ///   - now: The time in nanoseconds.
    init(capacity: Double, now: Int64) {
        tokens = capacity
        time = now
    }

    /// The time until there is so much, at most as much as it holds.
    ///
    /// - Returns: Whole seconds, at least 1; nil where there is so much.
    mutating func wait(for amount: Double, _ rate: Rate, now: Int64) -> Int? {
        fill(rate, now)
        let missing = min(amount, rate.capacity) - tokens
        return missing <= 0 ? nil : max(1, Int((missing / rate.perSecond).rounded(.up)))
    }

    /// Takes an amount.
    mutating func take(_ amount: Double, _ rate: Rate, now: Int64) {
        fill(rate, now)
        tokens -= amount
    }

    private mutating func fill(_ rate: Rate, _ now: Int64) {
        let seconds = Double(max(0, now &- time)) / 1_000_000_000
        tokens = min(rate.capacity, tokens + seconds * rate.perSecond)
        time = max(time, now)
    }

    /// The bounds of a bucket.
    struct Rate: Equatable {
        /// The tokens that it holds.
        let capacity: Double
        /// The tokens that come back in a second.
        let perSecond: Double
    }
}
