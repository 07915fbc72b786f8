/// The limits of what one client address may use; 0 is no limit.
package struct AddressLimits: Equatable, Sendable {
    /// Connections open at once.
    package var connections = 512
    /// Streams open at once.
    package var streams = 128
    /// Sessions opened in a second; ten times as many at once.
    package var sessions = 10
    /// Bytes that are journalled in a day.
    package var bytes = 256 << 20
    /// The addresses that are held to them where no proxy is trusted.
    package var scope = AddressScope.public

    /// The defaults.
    package init() {}
}

extension AddressLimits {
    /// The rate at which sessions may be opened.
    var sessionRate: TokenBucket.Rate {
        TokenBucket.Rate(capacity: Double(10 * sessions), perSecond: Double(sessions))
    }

    /// The rate at which bytes may be journalled.
    var byteRate: TokenBucket.Rate {
        TokenBucket.Rate(capacity: Double(bytes), perSecond: Double(bytes) / 86_400)
    }
}

extension AddressLimits {
    /// The rate at which wrong secrets may be shown: an operator mistypes a few, and who guesses needs billions.
    static let secretRate = TokenBucket.Rate(capacity: 10, perSecond: 1)
}

/// The client addresses that are limited where no proxy is trusted.
package enum AddressScope: String, Sendable {
    /// Those of the Internet: one of this machine or of a private network may be a proxy's.
    case `public`
    /// All.
    case all
}
