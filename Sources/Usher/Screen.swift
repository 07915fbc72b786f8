/// A screen as a value: its stored properties are the state that a client sees, and `Event` is what it can send.
///
/// Clients are told the state's schema as its stored properties have it; a screen that encodes otherwise should be `Decodable`,
/// too, for its decoder is asked then.
///
/// A screen never knows its coordinator; the coordinator that pushes it says what its events do.
///
/// ```swift
/// struct LoginScreen: Screen {
///     var failure: String?
///     enum Event: Codable { case close, login(name: String, password: Secret<String>) }
///     static let examples: [Event] = [.close, .login(name: "kim", password: "usher")]
/// }
/// ```
public protocol Screen<Event>: Encodable, SendableMetatype {
    /// The events that the screen can send, usually an enum; `Never` for a screen that sends nothing.
    associatedtype Event: Codable & Sendable = Never

    /// One value of each event, shown to clients as an example. `allCases` where the event is `CaseIterable`.
    static var examples: [Event] { get }

    /// The name on the wire. By default the type's without `Screen`: `LoginScreen` is `login`.
    static var name: String { get }

    /// The version, which its author raises when clients that could draw it so far cannot any more; 1 by default.
    ///
    /// A client that has told which versions it can draw (`Client.screens`) is never sent a later one.
    static var version: Int { get }

    /// Names that earlier builds gave the screen.
    ///
    /// A session that was recorded with one of these names continues; clients see the present name. None by default.
    ///
    /// ```swift
    /// struct BasketScreen: Screen {
    ///     static let formerNames = ["cart"]
    /// }
    /// ```
    static var formerNames: [String] { get }

    /// The name of this very screen on the wire; nil for its type's.
    ///
    /// For one type that stands for many screens. It is read once, when the screen is shown; `GET /apps` knows the type's
    /// name only.
    var instanceName: String? { get }

    /// Why the user cannot go back from the screen as it stands, in one sentence for him; nil where he can.
    ///
    /// ```swift
    /// var backRefusal: String? { isSaved ? nil : "save your changes first" }
    /// ```
    var backRefusal: String? { get }

    /// The same screen as a client sees it that cannot draw this version, with the same events; nil where there is none.
    ///
    /// It is asked again whenever the screen changes. One that the client cannot draw either is asked for its own
    /// fallback; where none is left, the app's is shown (`App.fallback(for:client:)`), or the input is refused.
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

    /// Version 1, until the author says otherwise.
    public static var version: Int { 1 }

    /// It always had the same name.
    public static var formerNames: [String] { [] }

    /// The type's name.
    public var instanceName: String? { nil }

    /// Nothing holds the user back.
    public var backRefusal: String? { nil }

    /// There is none.
    public func fallback(for client: Client) -> (any Screen<Event>)? { nil }
}

extension Screen where Event: CaseIterable {
    /// Every case.
    public static var examples: [Event] { Array(Event.allCases) }
}

extension Screen where Event == Never {
    /// Nothing to send.
    public static var examples: [Never] { [] }
}

/// A screen that a library shows for another, or on its own behalf.
package protocol ScreenWrapper: Screen {
    /// The author's screen, which his app should list; nil where there is none.
    static var wrapped: (any Screen.Type)? { get }
    /// Examples of what this screen takes now, which its type alone does not know.
    var currentExamples: [Event] { get }
    /// Why the user cannot close the modal that it is in; nil where he can.
    var dismissalRefusal: String? { get }
}

extension ScreenWrapper {
    /// Those of the type.
    package var currentExamples: [Event] { Self.examples }

    /// The reason against going back.
    package var dismissalRefusal: String? { backRefusal }
}
