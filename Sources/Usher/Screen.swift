/// A screen as a value: its stored properties are the state that a client sees, and `Event` is what it can send.
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
public protocol Screen: Encodable, SendableMetatype {
    /// The events that the screen can send, usually an enum; `Never` for a screen that sends nothing.
    associatedtype Event: Codable & Sendable = Never

    /// One value of each event, shown to clients as an example. `allCases` where the event is `CaseIterable`.
    static var examples: [Event] { get }

    /// The name on the wire. By default the type's without `Screen`: `LoginScreen` is `login`.
    static var name: String { get }

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
}

extension Screen {
    /// The type's name without `Screen`, beginning in lower case.
    public static var name: String { TypeName(Self.self).lowerCamelCased(without: "Screen") }

    /// The type's name.
    public var instanceName: String? { nil }

    /// Nothing holds the user back.
    public var backRefusal: String? { nil }
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
}
