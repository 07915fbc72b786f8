public import Foundation

/// The client as it tells the server of itself when it opens a session: it is sent no screen that it cannot draw.
public struct ClientDescription: Sendable, Hashable, Encodable {
    /// The name, such as `ios`.
    public var name: String?
    /// The version of the program, such as `3.2`.
    public var version: String?
    /// The newest version of each screen that it can draw, `*` for all others; everything where it is nil.
    public var screens: [String: Int]?
    /// The user's language and customs as a language tag, such as `ko-KR`.
    public var locale: String?
    /// The user's time zone, such as `Asia/Seoul`.
    public var timeZone: String?

    /// A client with the user's language and time zone.
    ///
    /// - Parameters:
    ///   - name: The name, such as `ios`.
    ///   - version: The version of the program.
    ///   - screens: The newest version of each screen that it can draw; everything where it is nil.
    ///   - locale: The user's language and customs.
    ///   - timeZone: The user's time zone; one without a name of its own, such as `GMT+0900`, is not told.
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
