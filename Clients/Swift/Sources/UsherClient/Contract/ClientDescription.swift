public import Foundation

/// A description of the client, sent when the client opens a session.
///
/// The server then sends no screen that the client cannot draw.
public struct ClientDescription: Sendable, Hashable, Encodable {
    /// The name, such as `ios`.
    public var name: String?
    /// The program's version, such as `3.2`.
    public var version: String?
    /// The newest version of each screen that the client can draw, with `*` for all others; nil if the client can draw
    /// every screen.
    public var screens: [String: Int]?
    /// The user's language and region as a language tag, such as `ko-KR`.
    public var locale: String?
    /// The user's time zone, such as `Asia/Seoul`.
    public var timeZone: String?

    /// Creates a description with the user's language and time zone.
    ///
    /// - Parameters:
    ///   - name: The name, such as `ios`.
    ///   - version: The program's version.
    ///   - screens: The newest version of each screen that the client can draw; nil if the client can draw every
    ///     screen.
    ///   - locale: The user's language and region.
    ///   - timeZone: The user's time zone. A time zone without a name, such as `GMT+0900`, is not sent.
    public init(
        name: String? = nil, version: String? = nil, screens: [String: Int]? = nil, locale: Locale = .current,
        timeZone: TimeZone = .current
    ) {
        self.name = name
        self.version = version
        self.screens = screens
        self.locale = locale.identifier(.bcp47)
        let isKnown = TimeZone.knownTimeZoneIdentifiers.contains(timeZone.identifier)
        self.timeZone = isKnown ? timeZone.identifier : nil
    }
}
