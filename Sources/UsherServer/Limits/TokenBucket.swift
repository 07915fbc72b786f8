/// A token bucket: it allows a burst and refills at a constant rate.
///
/// More tokens can be taken than are left, because some sizes are known only after the work.
struct TokenBucket {
    private var tokens: Double
    private var time: Int64

    /// Creates a full bucket at a time in nanoseconds.
    init(capacity: Double, now: Int64) {
        tokens = capacity
        time = now
    }

    /// Returns the time until the bucket contains an amount of tokens, or until it is full if its capacity is less.
    ///
    /// - Returns: Whole seconds, at least 1; nil if the amount is available now.
    mutating func wait(for amount: Double, _ rate: Rate, now: Int64) -> Int? {
        fill(rate, now)
        let missing = min(amount, rate.capacity) - tokens
        return missing <= 0 ? nil : max(1, Int((missing / rate.perSecond).rounded(.up)))
    }

    mutating func take(_ amount: Double, _ rate: Rate, now: Int64) {
        fill(rate, now)
        tokens -= amount
    }

    private mutating func fill(_ rate: Rate, _ now: Int64) {
        let seconds = Double(max(0, now &- time)) / 1_000_000_000
        tokens = min(rate.capacity, tokens + seconds * rate.perSecond)
        time = max(time, now)
    }

    /// The capacity and the refill rate of a bucket.
    struct Rate: Equatable {
        let capacity: Double
        let perSecond: Double
    }
}
