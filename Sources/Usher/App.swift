/// An app whose navigation runs on a server, with one tree of coordinators for each session that a client opens.
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

    /// The name on the wire; by default the type's name without `App`, in lower case with hyphens: `HelloByeApp` is
    /// `hello-bye`.
    static var name: String { get }

    /// Names that the app had in earlier builds; none by default.
    ///
    /// Sessions that were opened under a former name continue under the present name. Clients can still open sessions
    /// under a former name.
    static var formerNames: [String] { get }

    /// The names of the changes that coordinators query with `changed(_:)`, such as `delivery-time`; none by default.
    ///
    /// The journal records which changes a build knew. If a build without the change started a coordinator,
    /// `changed(_:)` returns false for this coordinator, so that it continues in the old way. Keep the name and the
    /// code of both ways until `usher check` reports that no session needs the old way.
    ///
    /// ```swift
    /// static let changes = ["delivery-time"]
    /// ```
    static var changes: [String] { get }

    /// The names of effects of earlier builds, such as `greeting`, whose results are no longer needed; none by default.
    ///
    /// This build ignores results of a retired effect, and does not wait for them. If a session needs an effect that
    /// this build neither starts nor retires, the session is on hold.
    static var retiredEffects: Set<String> { get }

    /// The server's response to a session whose inputs this build cannot replay to the end; `holdIfLossy` by default.
    static var onDivergence: DivergenceResponse { get }

    /// The default options of a session; a client may omit any member that has a value here.
    static var options: Options { get }

    /// The options that a client may set. Only the app's backend, which has a key (`--backend-key`), may set all
    /// options.
    ///
    /// By default, all options, because most options only choose how the app looks. A client can send any value. So if
    /// an option decides what a user may do, such as whether a user has logged in, list the other options here.
    static var clientOptions: ClientOptions { get }

    /// All screens that the app can show. Clients' authors read the list with `GET /apps`.
    ///
    /// A server warns if an app lists no screens. A test warns if the app shows a screen that is not in the list.
    static var screens: [any Screen.Type] { get }

    /// The types of all coordinators that a deep link can lead through, the root first.
    static var flowHosts: [any FlowHost.Type] { get }

    /// The type of the root coordinator's output, which clients receive as the result when a session ends.
    ///
    /// By default, the output of the first type in `flowHosts`; nil if the list is empty.
    static var result: (any Encodable.Type)? { get }

    /// The limits of a session of this app; by default the values of `Limits()`.
    ///
    /// The server's option `--max-state`, 1 MiB by default, limits the bytes of state and of an effect's output. The
    /// server warns if an app requires more.
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
    /// - Returns: The root, not started; the engine starts the root.
    /// - Throws: `Refusal` if the app cannot serve these options.
    static func root(_ options: Options) throws -> sending AnyCoordinator

    /// Returns the screen that a client sees instead of a screen that the client cannot draw.
    ///
    /// The engine calls this method if the screen has no fallback of its own. The replacement sends no events. The user
    /// leaves the replacement in the same ways as the replaced screen: by back or by a gesture. The coordinators do not
    /// notice the replacement. If the client cannot draw the replacement either, or if the method returns nil, the
    /// input is refused.
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
    /// An effect that requires services of another type fails with the code `services`, and the session's state has a
    /// warning.
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

    /// Puts a session on hold if an effect's result, a running effect, or a backend's message would be lost.
    public static var onDivergence: DivergenceResponse { .holdIfLossy }

    /// Returns nil: the app has no fallbacks.
    public static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? { nil }
}

extension [any App.Type] {
    /// Returns the app that has a name, or else the app that had the name in an earlier build; nil if there is no such
    /// app.
    package func app(named name: String) -> (any App.Type)? {
        first { $0.name == name } ?? first { $0.formerNames.contains(name) }
    }

    /// Returns the present name of the app that has or had a name; if there is no such app, returns the name itself.
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

/// The options that a client may set when it opens a session; only the app's backend may set other options.
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
/// An input that would exceed a limit is refused. If the input is an effect's result, the effect's closure gets the
/// failure `resultRefused` instead.
public struct Limits: Sendable {
    /// The maximum number of screens in all stacks together.
    public var screens = 64
    /// The maximum number of live coordinators.
    public var coordinators = 128
    /// The maximum number of coordinators started within one input, to stop coordinators that start each other forever.
    public var startsPerInput = 256
    /// The maximum number of pending effects and timers.
    public var effects = 32
    /// The maximum size of one effect's output, in bytes of JSON.
    public var outputBytes = 64 * 1024
    /// The maximum size of all screens together, in bytes of JSON.
    public var stateBytes = 64 * 1024

    /// Creates the default limits.
    public init() {}
}

extension Limits {
    /// The default of the server's limit: the maximum bytes of a session's state, and of an effect's output.
    package static let usualStateLimit = 1 << 20

    /// Returns these limits, but with at most `stateLimit` bytes of state and of an effect's output.
    package func bounded(by stateLimit: Int) -> Limits {
        var limits = self
        limits.stateBytes = min(stateBytes, stateLimit)
        limits.outputBytes = min(outputBytes, stateLimit)
        return limits
    }
}

/// The response to a session whose inputs this build cannot replay.
///
/// A replay fails if it shows other screens than recorded, refuses a recorded input, does not start a recorded effect,
/// or cannot decode an output.
public enum DivergenceResponse: Sendable {
    /// Resumes the session at the last revision on which the builds agree, if only navigation is lost.
    ///
    /// The session is on hold if an effect's result, a running effect, or a backend's message would be lost.
    case holdIfLossy
    /// Resumes the session at the last revision on which the builds agree, even if effects' results are lost. An effect
    /// whose result is lost does not run again.
    case resume
    /// Puts the session on hold.
    case hold
    /// Puts the session on hold as long as the build that wrote the session may return. Then ends the session like a
    /// deletion.
    case end
}
