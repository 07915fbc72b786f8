/// The limits on the use by one client address; 0 means no limit.
package struct AddressLimits: Equatable, Sendable {
    package var connections = 512
    package var streams = 128
    /// The number of new sessions per second; ten times as many are allowed in a burst.
    package var sessions = 10
    /// The number of bytes that may be added to the journal per day.
    package var bytes = 256 << 20
    /// The addresses that are limited if no proxy is trusted.
    package var scope = AddressScope.public

    package init() {}
}

extension AddressLimits {
    var sessionRate: TokenBucket.Rate {
        TokenBucket.Rate(capacity: Double(10 * sessions), perSecond: Double(sessions))
    }

    var byteRate: TokenBucket.Rate {
        TokenBucket.Rate(capacity: Double(bytes), perSecond: Double(bytes) / 86_400)
    }
}

extension AddressLimits {
    /// The rate of wrong secrets: enough for an operator's typing errors, but guessing would need billions of attempts.
    static let secretRate = TokenBucket.Rate(capacity: 10, perSecond: 1)
}

/// The client addresses that are limited if no proxy is trusted.
package enum AddressScope: String, Sendable {
    /// Addresses of the Internet; a local or private address may belong to a proxy.
    case `public`
    case all
}
