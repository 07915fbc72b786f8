/// A screen as a value: its stored properties are the state that clients see, and values of `Event` are the events that
/// clients can send.
///
/// Clients get a schema of the state, which the engine derives from the stored properties. If a screen encodes itself
/// in another way, it should also be `Decodable`, because the engine then derives the schema from the screen's decoder.
///
/// A screen does not refer to its coordinator. The coordinator that pushes the screen handles the screen's events.
///
/// ```swift
/// struct LoginScreen: Screen {
///     var failure: String?
///     enum Event: Codable { case close, login(name: String, password: Secret<String>) }
///     static let examples: [Event] = [.close, .login(name: "kim", password: "usher")]
/// }
/// ```
public protocol Screen<Event>: Encodable, SendableMetatype {
    /// The events that the screen can send, usually an enum; `Never` for a screen without events.
    associatedtype Event: Codable & Sendable = Never

    /// One value of each event, which clients see as an example. By default, `allCases` if `Event` is `CaseIterable`.
    static var examples: [Event] { get }

    /// The name on the wire. By default, the type's name without `Screen`: `LoginScreen` is `login`.
    static var name: String { get }

    /// The version, by default 1. Raise the version when clients that could draw the screen before no longer can.
    ///
    /// A client that lists the versions that it can draw (`Client.screens`) never receives a later version.
    static var version: Int { get }

    /// Names that the screen had in earlier builds; none by default.
    ///
    /// A session that was recorded with a former name continues, and its client sees the present name.
    ///
    /// ```swift
    /// struct BasketScreen: Screen {
    ///     static let formerNames = ["cart"]
    /// }
    /// ```
    static var formerNames: [String] { get }

    /// The name of this instance on the wire; nil for the type's name.
    ///
    /// Implement this property for a type that represents many screens. The engine reads the name once, when the screen
    /// is shown. `GET /apps` lists only the type's name.
    var instanceName: String? { get }

    /// The reason why the user cannot go back from the screen now, in one sentence for the user; nil if the user can go
    /// back.
    ///
    /// ```swift
    /// var backRefusal: String? { isSaved ? nil : "save your changes first" }
    /// ```
    var backRefusal: String? { get }

    /// Returns a replacement with the same events for a client that cannot draw this version; nil if there is no
    /// replacement.
    ///
    /// The engine calls this method again whenever the screen changes. If the client cannot draw the replacement
    /// either, the engine uses the replacement's own fallback. If no fallback is left, the engine shows the app's
    /// fallback (`App.fallback(for:client:)`), or refuses the input.
    ///
    /// ```swift
    /// func fallback(for client: Client) -> (any Screen<Event>)? { LoginScreen1(failure: failure) }
    /// ```
    ///
    /// - Parameter client: The session's client.
    func fallback(for client: Client) -> (any Screen<Event>)?
}

extension Screen {
    /// The type's name without `Screen`, beginning in lower case.
    public static var name: String { TypeName(Self.self).lowerCamelCased(without: "Screen") }

    /// The default version, 1.
    public static var version: Int { 1 }

    /// The screen has no former names.
    public static var formerNames: [String] { [] }

    /// Uses the type's name.
    public var instanceName: String? { nil }

    /// The user can always go back.
    public var backRefusal: String? { nil }

    /// Returns nil: there is no replacement.
    public func fallback(for client: Client) -> (any Screen<Event>)? { nil }
}

extension Screen where Event: CaseIterable {
    /// Every case.
    public static var examples: [Event] { Array(Event.allCases) }
}

extension Screen where Event == Never {
    /// There are no events.
    public static var examples: [Never] { [] }
}

/// A screen that a library shows, usually in place of an author's screen.
package protocol ScreenWrapper: Screen {
    /// The type of the author's screen, which the app should list; nil if there is none.
    static var wrapped: (any Screen.Type)? { get }
    /// Examples of the events that this screen accepts now, which depend on the instance.
    var currentExamples: [Event] { get }
    /// The reason why the user cannot close the screen's modal; nil if the user can close it.
    var dismissalRefusal: String? { get }
}

extension ScreenWrapper {
    /// The examples of the type.
    package var currentExamples: [Event] { Self.examples }

    /// The same reason as for going back.
    package var dismissalRefusal: String? { backRefusal }
}
