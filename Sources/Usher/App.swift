/// An app of coordinators on which clients open sessions.
///
/// ```swift
/// enum CounterApp: App {
///     static func root(_ options: NoOptions) -> sending AnyCoordinator { CounterCoordinator() }
/// }
/// ```
public protocol App: SendableMetatype {
    /// The options that a client may set when it opens a session, such as `{"greeting":true}`.
    associatedtype Options: Codable & Sendable = NoOptions

    /// The services that the app's effects use, such as a client of another server; none by default.
    associatedtype Services: Sendable = NoServices

    /// The name on the wire.
    ///
    /// By default the type's name without `App`, in lower case with hyphens: `HelloByeApp` is `hello-bye`.
    static var name: String { get }

    /// Names that the app had in earlier builds; none by default.
    ///
    /// Sessions with a former name continue under the present name. Clients can still open sessions by a former name.
    static var formerNames: [String] { get }

    /// The changes that coordinators query with `changed(_:)`, each by a name such as `delivery-time`; none by default.
    ///
    /// The journal records which changes a build knew. A coordinator that a build without the change started continues
    /// in the old way. Keep the name and both ways until `usher check` reports that no session needs the old way.
    ///
    /// ```swift
    /// static let changes = ["delivery-time"]
    /// ```
    static var changes: [String] { get }

    /// The names of effects of earlier builds, such as `greeting`, whose results are no longer needed; none by default.
    ///
    /// This build ignores a session's result of such an effect, and does not wait for one. If a session has another
    /// effect that this build lacks, the session is on hold.
    static var retiredEffects: Set<String> { get }

    /// The response to a session that this build cannot follow to its end; `holdIfLossy` by default.
    static var onDivergence: DivergenceResponse { get }

    /// The default options of a session; a client may omit any member that has a value here.
    static var options: Options { get }

    /// The options that a client may set; only the app's backend may set the others, with its key (`--backend-key`).
    ///
    /// All by default, because most options only choose how the app looks. List the options explicitly if one of them
    /// decides what a user may do, such as whether a user has logged in, because a client can send any value.
    static var clientOptions: ClientOptions { get }

    /// All screens that the app can show, so that clients can be written against them (`GET /apps`).
    ///
    /// A server warns if an app lists no screens. A test warns if the app shows a screen that it does not list.
    static var screens: [any Screen.Type] { get }

    /// All coordinators that a deep link can lead through, the root first.
    static var flowHosts: [any FlowHost.Type] { get }

    /// The type of the result with which a session ends, the root's output, so that clients can be written against it.
    ///
    /// By default the output of the first of `flowHosts`; nil if there is none.
    static var result: (any Encodable.Type)? { get }

    /// The limits of a session of this app; by default the values of `Limits()`.
    ///
    /// A server allows at most the bytes of state and of an effect's output that `--max-state` sets, 1 MiB by default.
    /// It warns if an app requires more.
    ///
    /// ```swift
    /// static var limits: Limits {
    ///     var limits = Limits()
    ///     limits.stateBytes = 256 * 1024
    ///     return limits
    /// }
    /// ```
    static var limits: Limits { get }

    /// Creates the root coordinator of a new session.
    ///
    /// - Parameter options: The client's options, completed from `Self.options`.
    /// - Returns: The root; the engine starts it.
    /// - Throws: `Refusal` if the app cannot serve these options.
    static func root(_ options: Options) throws -> sending AnyCoordinator

    /// Returns the screen that a client sees in place of a screen that it cannot draw.
    ///
    /// The engine calls it if the screen has no fallback of its own. The replacement sends no events. The user leaves
    /// it in the ways in which the replaced screen can be left: by back or by a gesture. The coordinators do not notice
    /// the replacement. If the client cannot draw the replacement either, or if there is none, the input is refused.
    ///
    /// ```swift
    /// static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? { UpdateScreen() }
    /// ```
    ///
    /// - Parameters:
    ///   - screen: The name of the screen that the client cannot draw.
    ///   - client: The session's client.
    static func fallback(for screen: String, client: Client) -> (any Screen<Never>)?

    /// Creates the services that the app's effects use.
    ///
    /// An effect that requires services of another type fails, and the session's state has a warning.
    ///
    /// - Throws: An error that prevents the server from serving the app.
    static func services() throws -> Services
}

extension App {
    /// The type's name without `App`, in lower case with hyphens.
    public static var name: String { WireNames.shared.name(of: Self.self) { $0.hyphenated(without: "App") } }

    /// Clients may set all options.
    public static var clientOptions: ClientOptions { .all }

    /// The app lists no screens.
    public static var screens: [any Screen.Type] { [] }

    /// The app lists no flow hosts.
    public static var flowHosts: [any FlowHost.Type] { [] }

    /// The output of the root, if `flowHosts` lists the root.
    public static var result: (any Encodable.Type)? { flowHosts.first?.outputType as? any Encodable.Type }

    /// The default limits.
    public static var limits: Limits { Limits() }

    /// The app has no former names.
    public static var formerNames: [String] { [] }

    /// The app lists no changes.
    public static var changes: [String] { [] }

    /// No effects are retired.
    public static var retiredEffects: Set<String> { [] }

    /// Puts a session on hold if facts would be lost.
    public static var onDivergence: DivergenceResponse { .holdIfLossy }

    /// Returns nil: the app has no such screen.
    public static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? { nil }
}

extension [any App.Type] {
    /// Returns the app with a name, or else the app that had it in an earlier build; nil if there is none.
    package func app(named name: String) -> (any App.Type)? {
        first { $0.name == name } ?? first { $0.formerNames.contains(name) }
    }

    /// Returns the present name of the app that has or had a name; the name itself if there is none.
    package func presentName(of name: String) -> String { app(named: name)?.name ?? name }
}

extension App where Options == NoOptions {
    /// The only value.
    public static var options: NoOptions { NoOptions() }
}

extension App where Services == NoServices {
    /// Returns no services.
    public static func services() -> NoServices { NoServices() }
}

/// The options of an app without options: an empty object.
public struct NoOptions: Codable, Sendable {
    /// Creates the only value.
    public init() {}
}

/// The options that a client may set when it opens a session; only the app's backend may set the others.
///
/// ```swift
/// static let clientOptions: ClientOptions = ["greeting"]
/// ```
public enum ClientOptions: Equatable, Sendable {
    /// All options.
    case all
    /// Only the options with these names.
    case only(Set<String>)

    /// No options.
    public static let none = ClientOptions.only([])

    /// Returns a Boolean value indicating whether a client may set the option with a name.
    package func contains(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains(name)
        }
    }
}

extension ClientOptions: ExpressibleByArrayLiteral {
    /// Creates a value that allows only the options with some names.
    public init(arrayLiteral names: String...) {
        self = .only(Set(names))
    }
}

/// The limits of one session of an app.
///
/// An input that would exceed a limit is refused. For an effect's result, the closure then gets the failure
/// `resultRefused`.
public struct Limits: Sendable {
    /// The most screens in all stacks together.
    public var screens = 64
    /// The most live coordinators.
    public var coordinators = 128
    /// The most coordinators started within one input, to stop flows that start each other forever.
    public var startsPerInput = 256
    /// The most pending effects and timers.
    public var effects = 32
    /// The most bytes of JSON of one effect's output.
    public var outputBytes = 64 * 1024
    /// The most bytes of JSON of all screens together.
    public var stateBytes = 64 * 1024

    /// Creates the default limits.
    public init() {}
}

extension Limits {
    /// The bytes of state and of an effect's output that a server allows by default.
    package static let usualStateLimit = 1 << 20

    /// Returns the limits that a server sets for an app's sessions.
    ///
    /// - Parameter stateLimit: The bytes of state and of an effect's output that the server allows.
    package func bounded(by stateLimit: Int) -> Limits {
        var limits = self
        limits.stateBytes = min(stateBytes, stateLimit)
        limits.outputBytes = min(outputBytes, stateLimit)
        return limits
    }
}

/// The response to a session that this build cannot follow.
///
/// Its replay shows other screens, refuses an input that was accepted, lacks an effect, or cannot decode an output.
public enum DivergenceResponse: Sendable {
    /// Resumes the session at the last revision on which the builds agree, if only navigation is lost.
    ///
    /// Otherwise the session is on hold: an effect's result, a running effect, or a backend's message would be lost.
    case holdIfLossy
    /// Always resumes the session at that revision, even if a payment's result is lost; the payment does not run again.
    case resume
    /// Puts the session on hold.
    case hold
    /// Ends the session like a deletion once its former build cannot come back; until then, puts the session on hold.
    case end
}
