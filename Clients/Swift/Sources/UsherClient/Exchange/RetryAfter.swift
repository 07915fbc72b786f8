import Foundation

extension TransportResponse {
    /// The pause before the next attempt (RFC 9110, section 10.2.3).
    ///
    /// The value is in seconds, or a date that is compared with the response's own date.
    var retryAfter: Duration {
        guard let asked = header("retry-after"), !asked.isEmpty else { return .zero }
        if asked.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            return .seconds(Int(asked) ?? .max)
        }
        guard let date = Self.date(asked), let now = header("date").flatMap(Self.date), date > now else { return .zero }
        return .seconds(date.timeIntervalSince(now))
    }

    /// Parses a date in HTTP's format (RFC 9110, section 5.6.7).
    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }
}
