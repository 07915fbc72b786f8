/// A program of coordinators that sessions can be opened on.
///
/// ```swift
/// enum CounterApp: App {
///     static func root(_ options: NoOptions) -> sending AnyCoordinator { CounterCoordinator() }
/// }
/// ```
public protocol App: SendableMetatype {
    /// The options that a client may give when it opens a session, such as `{"greeting":true}`.
    associatedtype Options: Codable & Sendable = NoOptions

    /// The services that the app's effects work with, such as a client of another server; none by default.
    associatedtype Services: Sendable = NoServices

    /// The name on the wire. By default the type's without `App`, in lower case with hyphens:
    /// `HelloByeApp` is `hello-bye`.
    static var name: String { get }

    /// The app's version, kept with each session so that a later build knows what it was opened with.
    static var version: String { get }

    /// The options of a session that names none: a client may leave out any member that has a value here.
    static var options: Options { get }

    /// All screens that the app can show, so that a client can be written against them (`GET /apps`).
    ///
    /// A server warns of an app that lists none, a test of one that shows a screen which it does not list.
    static var screens: [any Screen.Type] { get }

    /// All coordinators that a deep link can lead through, the root's first.
    static var flowHosts: [any FlowHost.Type] { get }

    /// Makes the coordinator at the root of a new session's tree.
    ///
    /// - Parameter options: What the client asked for, with `Self.options` where it said nothing.
    /// - Returns: The root; the engine starts it.
    /// - Throws: `Refusal` when these options cannot be served.
    static func root(_ options: Options) throws -> sending AnyCoordinator

    /// Makes what the app's effects work with.
    ///
    /// An effect that works with services of another kind fails, and the session's state warns of it.
    ///
    /// - Throws: What keeps the server from serving the app.
    static func services() throws -> Services
}

extension App {
    /// The type's name without `App`, in lower case with hyphens.
    public static var name: String { WireNames.shared.name(of: Self.self) { $0.hyphenated(without: "App") } }

    /// None are told.
    public static var screens: [any Screen.Type] { [] }

    /// None are told.
    public static var flowHosts: [any FlowHost.Type] { [] }

    /// Version 1, until the author says otherwise.
    public static var version: String { "1" }
}

extension App where Options == NoOptions {
    /// Nothing to choose.
    public static var options: NoOptions { NoOptions() }
}

extension App where Services == NoServices {
    /// No effect needs any.
    public static func services() -> NoServices { NoServices() }
}

/// The options of an app that has none: an empty object.
public struct NoOptions: Codable, Sendable {
    /// Makes the only value.
    public init() {}
}

/// The limits to which one session may grow.
///
/// Crossing a limit refuses the input that does.
public struct Limits: Sendable {
    /// Screens in all stacks together.
    public var screens = 64
    /// Live coordinators.
    public var coordinators = 128
    /// Coordinators started within one input, so that flows that start each other for ever are stopped.
    public var startsPerInput = 256
    /// Effects and timers that are pending.
    public var effects = 32
    /// Bytes of JSON of one effect's output.
    public var outputBytes = 64 * 1024
    /// Bytes of JSON of all screens together.
    public var stateBytes = 64 * 1024

    /// The default limits.
    public init() {}
}
