package import UsherJSON

/// The user's client program, as it described itself when it opened the session.
///
/// Every property is optional. If a client lists no screens, the engine assumes that the client can draw all screens.
///
/// ```swift
/// if client.shows(PasskeyScreen.self) { push(PasskeyScreen()) { … } } else { push(PasswordScreen()) { … } }
/// ```
public struct Client: Hashable, Sendable {
    /// The client's name, such as `ios`.
    public let name: String?
    /// The version of the program, such as `3.2`.
    public let version: String?
    /// The newest version of each screen that the client can draw, by the screen's name on the wire; nil for all
    /// screens.
    ///
    /// The name `*` stands for all screens that the dictionary does not name. Without `*`, the client cannot draw these
    /// screens.
    public let screens: [String: Int]?
    /// The user's language and region as a language tag, such as `ko-KR` (BCP 47).
    public let locale: String?
    /// The user's time zone, such as `Asia/Seoul`.
    public let timeZone: String?

    /// Creates a client for a test; by default, a client that can draw every screen.
    public init(
        name: String? = nil, version: String? = nil, screens: [String: Int]? = nil, locale: String? = nil,
        timeZone: String? = nil
    ) {
        self.name = name
        self.version = version
        self.screens = screens
        self.locale = locale
        self.timeZone = timeZone
    }
}

extension Client {
    /// Returns a Boolean value indicating whether the client can draw a screen of this build.
    public func shows<S: Screen>(_ screen: S.Type) -> Bool {
        shows(S.name, version: S.version)
    }

    /// Returns a Boolean value indicating whether the client can draw a version of a screen.
    ///
    /// - Parameters:
    ///   - name: The screen's name on the wire.
    ///   - version: The version of the screen.
    public func shows(_ name: String, version: Int) -> Bool {
        guard let screens else { return true }
        return version <= screens[name] ?? screens["*"] ?? 0
    }
}

extension Client: CustomStringConvertible {
    /// The name and the version, such as `ios 3.2`.
    public var description: String { label ?? "an unnamed client" }

    /// The name and the version, if the client sent them; nil if the client sent neither.
    var label: String? {
        let words = [name, version].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

extension Client {
    /// Decodes a client's description of itself.
    ///
    /// - Throws: `JSONError` for an unknown member, and for a value that is too long or malformed.
    package init(_ json: JSONValue) throws(JSONError) {
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        for (name, value) in json.members where !Self.members.contains(name) {
            throw value.error("unknown member \"\(name)\"; \(Self.usage)")
        }
        self.init(
            name: try json[given: "name"].map(Self.label), version: try json[given: "version"].map(Self.label),
            screens: try json[given: "screens"].map(Self.screens), locale: try json[given: "locale"].map(Self.locale),
            timeZone: try json[given: "timeZone"].map(Self.timeZone))
    }

    /// Reads a client from an object in the journal that `write(into:)` has written.
    ///
    /// The values are not checked again, because another build may know other time zones and members.
    package init(recorded json: JSONValue) {
        let screens = json[member: "screens"].map { screens in
            screens.members.reduce(into: [String: Int]()) { $0[$1.name] = $1.value.integer }
        }
        self.init(
            name: json[member: "name"]?.string, version: json[member: "version"]?.string, screens: screens,
            locale: json[member: "locale"]?.string, timeZone: json[member: "timeZone"]?.string)
    }

    /// Appends the client as one object, in the form that a client sends.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        if let name { writer.member("name", name) }
        if let version { writer.member("version", version) }
        if let screens {
            writer.key("screens")
            writer.beginObject()
            for (name, version) in screens.sorted(by: { $0.key < $1.key }) {
                writer.key(name)
                writer.integer(version)
            }
            writer.endObject()
        }
        if let locale { writer.member("locale", locale) }
        if let timeZone { writer.member("timeZone", timeZone) }
        writer.endObject()
    }

    private static let members = ["name", "version", "screens", "locale", "timeZone"]
    private static let usage = """
        send {"name":"ios","version":"3.2","screens":{"login":2,"*":1},"locale":"ko-KR","timeZone":"Asia/Seoul"}, or \
        an object with some of these members
        """
    /// The valid lengths of a name or a version, in characters.
    private static let labelLengths = 1...64
    /// The maximum number of screens that a client may list.
    private static let screenLimit = 512
    /// The valid lengths of a screen's name, in bytes.
    private static let screenNameLengths = 1...128

    private static func label(_ value: JSONValue) throws(JSONError) -> String {
        guard let text = value.string, labelLengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw value.error("expected a string of 1 to \(labelLengths.upperBound) printable ASCII characters")
        }
        return text
    }

    private static func screens(_ value: JSONValue) throws(JSONError) -> [String: Int] {
        guard value.kind == .object else {
            throw value.error(#"expected an object with the newest version of each screen, such as {"login":2,"*":1}"#)
        }
        var screens: [String: Int] = [:]
        for (name, version) in value.members {
            guard screenNameLengths.contains(name.utf8.count) else {
                throw version.error("a screen's name must have 1 to \(screenNameLengths.upperBound) bytes")
            }
            guard let number = version.integer, number > 0 else {
                throw version.error("expected a screen's version, a whole number from 1")
            }
            screens[name] = number
            guard screens.count <= screenLimit else {
                throw value.error("expected at most \(screenLimit) screens; list only those above version 1, and \"*\"")
            }
        }
        return screens
    }

    private static func locale(_ value: JSONValue) throws(JSONError) -> String {
        guard let text = value.string, LanguageTag.isWellFormed(text) else {
            throw value.error("expected a language tag (BCP 47) such as \"ko-KR\", with hyphens")
        }
        return text
    }

    private static func timeZone(_ value: JSONValue) throws(JSONError) -> String {
        guard let text = value.string, TimeZoneName.isWellFormed(text) else {
            throw value.error("expected an IANA time zone name, such as \"Asia/Seoul\"")
        }
        return text
    }
}

/// The form of a time zone's name in IANA's database, such as `Asia/Seoul`.
///
/// Names are not compared with a list, because clients may know newer time zones.
enum TimeZoneName {
    /// The maximum length of a name in bytes; no time zone has a longer name.
    private static let limit = 64

    /// Returns whether a text has this form: words between slashes, each of which begins with a letter.
    static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count <= limit
            && text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { word in
                word.first.map(isLetter) ?? false && word.allSatisfy { isLetter($0) || isOther($0) }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOther(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_+-".utf8.contains(byte)
    }
}

/// The form of a language tag (RFC 5646, section 2.1), such as `ko-KR` or `zh-Hant-TW`.
enum LanguageTag {
    /// The maximum length of a tag in bytes; no language that a user speaks has a longer tag.
    private static let limit = 64

    /// Returns whether a text has the subtags of a language in their order, or is a tag for private use.
    ///
    /// Irregular tags, such as `i-klingon`, are not accepted, because newer tags have replaced them.
    static func isWellFormed(_ text: String) -> Bool {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard text.utf8.count <= limit,
            subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } })
        else { return false }
        var rest = subtags[...]
        guard !isPrivate(rest) else { return true }
        guard let language = rest.popFirst(), language.count >= 2, language.allSatisfy(isLetter) else { return false }
        if language.count <= 3 { skip(&rest, atMost: 3) { $0.count == 3 && $0.allSatisfy(isLetter) } }
        skip(&rest, atMost: 1) { $0.count == 4 && $0.allSatisfy(isLetter) }
        skip(&rest, atMost: 1, isRegion)
        skip(&rest, isVariant)
        while let first = rest.first, first.count == 1, !isPrivate(rest) {
            rest.removeFirst()
            guard skip(&rest, { $0.count >= 2 }) > 0 else { return false }
        }
        return rest.isEmpty || isPrivate(rest)
    }

    private typealias Subtag = Substring.UTF8View

    /// Returns whether the subtags are `x-` and at least one more.
    private static func isPrivate(_ subtags: ArraySlice<Subtag>) -> Bool {
        guard let first = subtags.first, subtags.count > 1 else { return false }
        return first.elementsEqual("x".utf8) || first.elementsEqual("X".utf8)
    }

    private static func isRegion(_ subtag: Subtag) -> Bool {
        subtag.count == 2 && subtag.allSatisfy(isLetter) || subtag.count == 3 && subtag.allSatisfy(isDigit)
    }

    private static func isVariant(_ subtag: Subtag) -> Bool {
        subtag.count >= 5 || subtag.count == 4 && subtag.first.map(isDigit) == true
    }

    @discardableResult
    private static func skip(
        _ subtags: inout ArraySlice<Subtag>, atMost limit: Int = .max, _ isKind: (Subtag) -> Bool
    ) -> Int {
        let count = min(limit, subtags.prefix(while: isKind).count)
        subtags.removeFirst(count)
        return count
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
