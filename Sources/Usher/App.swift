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

    /// Names that earlier builds gave the app.
    ///
    /// Sessions with a former name continue under the present name. Clients can still open sessions by a former name.
    /// None by default.
    static var formerNames: [String] { get }

    /// The changes that coordinators ask for with `changed(_:)`, each by a name, such as `delivery-time`.
    ///
    /// The journal records which of them a build knew. A coordinator that a build without the change started continues on the
    /// former way. Keep the name and both ways until `usher check` says that no session needs the former one. None by default.
    ///
    /// ```swift
    /// static let changes = ["delivery-time"]
    /// ```
    static var changes: [String] { get }

    /// The names of effects that earlier builds began, such as `greeting`, and whose results nobody needs any more.
    ///
    /// If a session has a result of such an effect, or waits for one, this build ignores it. If it lacks any other effect of a
    /// session, the session is on hold. None by default.
    static var retiredEffects: Set<String> { get }

    /// What happens to a session that this build cannot follow to its end. By default `holdIfLossy`.
    static var onDivergence: DivergenceResponse { get }

    /// The options of a session that names none: a client may leave out any member that has a value here.
    static var options: Options { get }

    /// The options that a client may set itself; the others a session has only where the app's backend has opened it, with
    /// its key (`--backend-key`).
    ///
    /// All by default, for most choose how something looks. Name them where one decides what a user may do, such as whether
    /// somebody has logged in: a client can say what it likes.
    static var clientOptions: ClientOptions { get }

    /// All screens that the app can show, so that a client can be written against them (`GET /apps`).
    ///
    /// A server warns of an app that lists none, a test of one that shows a screen which it does not list.
    static var screens: [any Screen.Type] { get }

    /// All coordinators that a deep link can lead through, the root's first.
    static var flowHosts: [any FlowHost.Type] { get }

    /// The result that a session ends with, the root's output, so that a client can be written against it.
    ///
    /// By default that of the first of `flowHosts`; nil where there is none.
    static var result: (any Encodable.Type)? { get }

    /// The limits to which one of the app's sessions may grow; the default ones, unless the author says otherwise.
    ///
    /// A server allows no more bytes of state and of an effect's output than `--max-state` says, 1 MiB by default. It warns of
    /// an app that asks for more.
    ///
    /// ```swift
    /// static var limits: Limits {
    ///     var limits = Limits()
    ///     limits.stateBytes = 256 * 1024
    ///     return limits
    /// }
    /// ```
    static var limits: Limits { get }

    /// Makes the coordinator at the root of a new session's tree.
    ///
    /// - Parameter options: What the client asked for, with `Self.options` where it said nothing.
    /// - Returns: The root; the engine starts it.
    /// - Throws: `Refusal` when these options cannot be served.
    static func root(_ options: Options) throws -> sending AnyCoordinator

    /// Makes the screen that a client sees in the place of one that it cannot draw, where that has no fallback of its own.
    ///
    /// It sends no events, so a user leaves it as he may leave the screen that it stands for: by back, or by a gesture. The
    /// coordinators know nothing of it. Where the client cannot draw it either, or there is none, the input is refused.
    ///
    /// ```swift
    /// static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? { UpdateScreen() }
    /// ```
    ///
    /// - Parameters:
    ///   - screen: The name of the screen that cannot be drawn.
    ///   - client: The session's client.
    static func fallback(for screen: String, client: Client) -> (any Screen<Never>)?

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

    /// All of them.
    public static var clientOptions: ClientOptions { .all }

    /// None are told.
    public static var screens: [any Screen.Type] { [] }

    /// None are told.
    public static var flowHosts: [any FlowHost.Type] { [] }

    /// The output of the root, as far as the app names it.
    public static var result: (any Encodable.Type)? { flowHosts.first?.outputType as? any Encodable.Type }

    /// The default limits.
    public static var limits: Limits { Limits() }

    /// It always had the same name.
    public static var formerNames: [String] { [] }

    /// None are told.
    public static var changes: [String] { [] }

    /// None are retired.
    public static var retiredEffects: Set<String> { [] }

    /// A session is on hold rather than losing a fact.
    public static var onDivergence: DivergenceResponse { .holdIfLossy }

    /// There is none.
    public static func fallback(for screen: String, client: Client) -> (any Screen<Never>)? { nil }
}

extension [any App.Type] {
    /// Returns the app that has a name, or else one that had it in an earlier build; nil if there is none.
    package func app(named name: String) -> (any App.Type)? {
        first { $0.name == name } ?? first { $0.formerNames.contains(name) }
    }

    /// Returns the present name of the app that has, or had, a name; the same name if there is none.
    package func presentName(of name: String) -> String { app(named: name)?.name ?? name }
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

/// The options that a client may set itself when it opens a session; the others are its backend's to set.
///
/// ```swift
/// static let clientOptions: ClientOptions = ["greeting"]
/// ```
public enum ClientOptions: Equatable, Sendable {
    /// Any of them.
    case all
    /// Those of some names alone.
    case only(Set<String>)

    /// None of them.
    public static let none = ClientOptions.only([])

    /// True of an option that a client may set.
    ///
    /// - Parameter name: The option's name.
    package func contains(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains(name)
        }
    }
}

extension ClientOptions: ExpressibleByArrayLiteral {
    /// Those of some names alone.
    public init(arrayLiteral names: String...) {
        self = .only(Set(names))
    }
}

/// The limits to which one session of an app may grow.
///
/// An input that would cross a limit is refused. An effect's closure then gets the failure `resultRefused`.
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

extension Limits {
    /// The bytes of state, and of an effect's output, that a server allows unless its operator says otherwise.
    package static let usualStateLimit = 1 << 20

    /// The limits that a server sets to an app's sessions.
    ///
    /// - Parameter stateLimit: The bytes of state, and of an effect's output, that the server allows.
    package func bounded(by stateLimit: Int) -> Limits {
        var limits = self
        limits.stateBytes = min(stateBytes, stateLimit)
        limits.outputBytes = min(outputBytes, stateLimit)
        return limits
    }
}

/// What happens to a session that this build cannot follow: its replay shows other screens, refuses an input that was
/// accepted, lacks an effect, or cannot decode an output.
public enum DivergenceResponse: Sendable {
    /// The session resumes at the last revision on which the builds agree if only navigation is lost. It is on hold if an
    /// effect's result, an effect under way, or a backend's message would be lost.
    case holdIfLossy
    /// The session always resumes there, even if a payment's result is lost. That effect does not run again.
    case resume
    /// The session is on hold.
    case hold
    /// The session ends, as if an operator had deleted it. It is on hold as long as the build that wrote it may come back.
    case end
}
