/// A value that describes work that takes time or has side effects.
///
/// A coordinator passes the effect to `perform`, and receives the result. The work runs outside of the coordinators,
/// after the changes of the input that began the work are durable. The journal records the output, so a replay of the
/// session uses the output and does not run the work again.
///
/// ```swift
/// struct SignIn: Effect {
///     let name: String
///     let password: Secret<String>
///
///     func run(_ context: EffectContext<ShopServices>) async throws -> User {
///         try await context.services.accounts.signIn(name, password.reveal(), key: context.id)
///     }
/// }
/// ```
public protocol Effect: Sendable {
    /// The services that the effect uses, created by the app's `services()`; none by default.
    associatedtype Services: Sendable = NoServices

    /// The type of the output. The closure receives the output after it was encoded as JSON and decoded.
    associatedtype Output: Codable & Sendable

    /// The name on the wire. By default, the type's name without `Effect`: `SignInEffect` is `signIn`.
    static var name: String { get }

    /// Outputs that `usher explore` uses instead of running the work. By default, `allCases` if the output is
    /// `CaseIterable`.
    ///
    /// Without examples, exploration tries only the failures. An effect for all requests of an API takes the examples
    /// from its request:
    ///
    /// ```swift
    /// struct CallAPI<Request: APIRequest>: Effect {
    ///     let request: Request
    ///     var examples: [Request.Response] { request.examples }
    /// }
    /// ```
    var examples: [Output] { get }

    /// The codes of the failures that `run` throws. `usher explore` tries these failures in addition to the engine's
    /// failures.
    static var failures: [String] { get }

    /// Names that the effect had in earlier builds; none by default.
    ///
    /// A session that was recorded with a former name continues.
    static var formerNames: [String] { get }

    /// Converts an output that an earlier build has recorded.
    ///
    /// The engine calls this method only if the recorded output does not decode as `Output`. Such an output can also be
    /// recorded while the new build is being released. If the method throws, the session is on hold in this build.
    ///
    /// ```swift
    /// static func migrate(_ former: any Decoder) throws -> Receipt {
    ///     Receipt(order: try OldReceipt(from: former).number, code: nil)
    /// }
    /// ```
    ///
    /// - Parameter former: A decoder of the recorded output.
    /// - Returns: The output that the closure gets.
    /// - Throws: Any error if the output cannot be converted.
    static func migrate(_ former: any Decoder) throws -> Output

    /// Does the work.
    ///
    /// The work may run more than once: if the process died before the result was durable, the work runs again.
    ///
    /// - Parameter context: The services, and the id of this effect.
    /// - Returns: The output that the closure gets as `.success`.
    /// - Throws: `EffectFailure`, which the closure gets unchanged. Instead of any other error, the closure gets the
    ///   failure `failed`.
    func run(_ context: EffectContext<Services>) async throws -> Output
}

extension Effect {
    /// The type's name without `Effect`, beginning in lower case.
    public static var name: String { TypeName(Self.self).lowerCamelCased(without: "Effect") }

    /// There are no examples.
    public var examples: [Output] { [] }

    /// The effect has no former names.
    public static var formerNames: [String] { [] }

    /// Decodes the output without a conversion.
    public static func migrate(_ former: any Decoder) throws -> Output { try Output(from: former) }

    /// The effect throws no failures of its own.
    public static var failures: [String] { [] }
}

extension Effect where Output: CaseIterable {
    /// Every case.
    public var examples: [Output] { Array(Output.allCases) }
}

extension Effect where Output == NoOutput {
    /// The only value.
    public var examples: [NoOutput] { [NoOutput()] }
}

/// The context in which an effect runs.
public struct EffectContext<Services: Sendable>: Sendable {
    /// The services, created by the app's `services()`.
    public let services: Services
    /// A unique id that stays the same if the effect runs again; send the id to services as an idempotency key.
    public let id: String

    /// Creates a context, to test an effect by itself.
    ///
    /// - Parameters:
    ///   - services: The services that the effect uses.
    ///   - id: The effect's id.
    public init(services: Services, id: String) {
        self.services = services
        self.id = id
    }
}

/// The services of an effect or an app that needs none.
public struct NoServices: Sendable {
    /// Creates the only value.
    public init() {}
}

/// The output of an effect that has no output: an empty object.
public struct NoOutput: Codable, Equatable, Sendable {
    /// Creates the only value.
    public init() {}
}

/// The reason why an effect has no output.
///
/// If an effect throws a failure, the closure that was passed to `perform` receives the failure.
public struct EffectFailure: Error, Codable, Sendable {
    /// A code for programs, such as `wrongPassword`.
    ///
    /// The engine's own codes are `cancelled`, `failed`, `services`, `tooLarge` and `resultRefused`. A server adds
    /// `timeout` and `forked`.
    public let code: String
    /// One sentence for people.
    public let message: String
    /// Details for the log, possibly with internals of the app; never stored in the journal or sent to a client.
    package private(set) var cause: String?

    private enum CodingKeys: String, CodingKey { case code, message }

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: A code for programs.
    ///   - message: One sentence for people.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

extension EffectFailure: Equatable {
    /// Returns a Boolean value indicating whether two failures have the same code and message.
    public static func == (left: EffectFailure, right: EffectFailure) -> Bool {
        (left.code, left.message) == (right.code, right.message)
    }
}

extension EffectFailure {
    /// Creates the failure for an error that an effect threw.
    init(_ error: any Error) {
        switch error {
        case let failure as EffectFailure: self = failure
        case is CancellationError: self.init(code: "cancelled", message: "the work was cancelled")
        default:
            self.init(code: "failed", message: "the work failed")
            cause = "\(error)"
        }
    }

    /// The failure if the app's services are not of the type that the effect requires, as the journal stores it.
    static let missingServices = EffectFailure(
        code: "services", message: "the app does not provide the services that the work needs")

    /// Returns the failure `missingServices` with a cause for the log.
    static func services(needed: Any.Type, found: Any.Type) -> EffectFailure {
        var failure = missingServices
        failure.cause = "the effect works with \(needed), but the app's services are \(found)"
        return failure
    }

    /// The codes of failures that the engine and servers can create for any effect; exploration tries these failures.
    static let commonCodes = ["cancelled", "failed", "services", "tooLarge", "timeout", "forked"]

    static let refusalCode = "resultRefused"

    /// Returns the failure for a refused result: its closure failed, or the session would have exceeded a limit.
    package static func resultRefused(_ reason: String) -> EffectFailure {
        EffectFailure(code: refusalCode, message: reason)
    }

    static func tooLarge(limit: Int) -> EffectFailure {
        EffectFailure(code: "tooLarge", message: "the work's result is larger than \(limit) bytes")
    }

    /// The failure without the cause, as a replay reads it from the journal.
    var withoutCause: EffectFailure { EffectFailure(code: code, message: message) }
}
