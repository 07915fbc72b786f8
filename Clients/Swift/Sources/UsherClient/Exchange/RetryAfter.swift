import Foundation

extension TransportResponse {
    /// The pause that the answer asks for before the next attempt (RFC 9110, section 10.2.3): seconds, or a date of the
    /// server's clock, which the answer tells as well.
    var retryAfter: Duration {
        guard let asked = header("retry-after"), !asked.isEmpty else { return .zero }
        if asked.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            return .seconds(Int(asked) ?? .max)
        }
        guard let date = Self.date(asked), let now = header("date").flatMap(Self.date), date > now else { return .zero }
        return .seconds(date.timeIntervalSince(now))
    }

    /// A date as HTTP has it (RFC 9110, section 5.6.7).
    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }
}
