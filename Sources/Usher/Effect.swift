/// Work that takes time or touches the world, as a value: a coordinator hands it to `perform` and is told the result.
///
/// It runs outside of the coordinators, after all that the input has led to is durable. Its output is journalled,
/// so a session that is built again sees the same without running it.
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
    /// The services that it works with, made by the app's `services()`; none by default.
    associatedtype Services: Sendable = NoServices

    /// The output, which the closure gets as it is decoded from its JSON.
    associatedtype Output: Codable & Sendable

    /// The name on the wire. By default the type's without `Effect`: `SignInEffect` is `signIn`.
    static var name: String { get }

    /// Outputs with which `usher explore` ends the work, as if it had run; `allCases` where the output is `CaseIterable`.
    ///
    /// Without one, exploration tries the work's failures alone.
    static var examples: [Output] { get }

    /// The codes of the failures that `run` throws, with which `usher explore` ends the work beside the engine's own.
    static var failures: [String] { get }

    /// Names that earlier builds gave the effect.
    ///
    /// A session that was recorded with one of these names continues. None by default.
    static var formerNames: [String] { get }

    /// Converts an output that an earlier build has recorded.
    ///
    /// It is called only if the recorded output does not decode as `Output`, also for an effect that was running during the
    /// release. If it throws, the session is on hold in this build.
    ///
    /// ```swift
    /// static func migrate(_ former: any Decoder) throws -> Receipt {
    ///     Receipt(order: try OldReceipt(from: former).number, code: nil)
    /// }
    /// ```
    ///
    /// - Parameter former: Decodes the output as it was recorded.
    /// - Returns: The output that the closure gets.
    /// - Throws: Any error, if this is no such output.
    static func migrate(_ former: any Decoder) throws -> Output

    /// Does the work.
    ///
    /// It may run more than once: again when the process died before the result was durable.
    ///
    /// - Parameter context: What it works with, and the name under which it runs.
    /// - Returns: What the closure gets as `.success`.
    /// - Throws: `EffectFailure`, which the closure gets as it is; of anything else it is told only that the work
    ///   failed.
    func run(_ context: EffectContext<Services>) async throws -> Output
}

extension Effect {
    /// The type's name without `Effect`, beginning in lower case.
    public static var name: String { TypeName(Self.self).lowerCamelCased(without: "Effect") }

    /// None are told.
    public static var examples: [Output] { [] }

    /// It always had the same name.
    public static var formerNames: [String] { [] }

    /// Decodes it as it is.
    public static func migrate(_ former: any Decoder) throws -> Output { try Output(from: former) }

    /// None but the engine's own.
    public static var failures: [String] { [] }
}

extension Effect where Output: CaseIterable {
    /// Every case.
    public static var examples: [Output] { Array(Output.allCases) }
}

extension Effect where Output == NoOutput {
    /// The only value.
    public static var examples: [NoOutput] { [NoOutput()] }
}

/// The context that an effect is given when it runs.
public struct EffectContext<Services: Sendable>: Sendable {
    /// The services, made by the app's `services()`.
    public let services: Services
    /// The name of this effect among all effects, the same when it runs again after a crash: to be sent on as an
    /// idempotency key.
    public let id: String

    /// Makes a context, for a test of an effect by itself.
    ///
    /// - Parameters:
    ///   - services: What the effect works with.
    ///   - id: The name under which it runs.
    public init(services: Services, id: String) {
        self.services = services
        self.id = id
    }
}

/// The services of an effect, or of an app, that needs none.
public struct NoServices: Sendable {
    /// Makes the only value.
    public init() {}
}

/// The output of an effect that has nothing to tell but that it is done: an empty object.
public struct NoOutput: Codable, Equatable, Sendable {
    /// Makes the only value.
    public init() {}
}

/// Why an effect has no output.
///
/// An effect throws one; the closure of its coordinator gets it.
public struct EffectFailure: Error, Codable, Sendable {
    /// A word for the program, such as `wrongPassword`.
    ///
    /// The engine's own are `cancelled`, `failed`, `services`, `tooLarge` and `resultRefused`; a server's also `timeout` and
    /// `forked`.
    public let code: String
    /// One sentence for people.
    public let message: String
    /// More for the log than the message; may hold an author's internals, and is never journalled or sent.
    package private(set) var cause: String?

    private enum CodingKeys: String, CodingKey { case code, message }

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: A word for the program.
    ///   - message: One sentence for people.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

extension EffectFailure: Equatable {
    /// True where two say the same.
    public static func == (left: EffectFailure, right: EffectFailure) -> Bool {
        (left.code, left.message) == (right.code, right.message)
    }
}

extension EffectFailure {
    /// The failure that an error amounts to which an effect has thrown.
    init(_ error: any Error) {
        switch error {
        case let failure as EffectFailure: self = failure
        case is CancellationError: self.init(code: "cancelled", message: "the work was cancelled")
        default:
            self.init(code: "failed", message: "the work failed")
            cause = "\(error)"
        }
    }

    /// An app whose services are not what its effect works with, as the journal has it.
    static let missingServices = EffectFailure(
        code: "services", message: "the app has not the services that the work needs")

    /// An app whose services are not what its effect works with.
    static func services(needed: Any.Type, found: Any.Type) -> EffectFailure {
        var failure = missingServices
        failure.cause = "the effect works with \(needed), but the app's services are \(found)"
        return failure
    }

    /// The engine's own codes, and a server's.
    static let commonCodes = ["cancelled", "failed", "services", "tooLarge", "timeout", "forked"]

    /// The code of `resultRefused`.
    static let refusalCode = "resultRefused"

    /// A result at which its closure has failed, or at which the session would have crossed a limit.
    ///
    /// - Parameter reason: Why it was refused.
    package static func resultRefused(_ reason: String) -> EffectFailure {
        EffectFailure(code: refusalCode, message: reason)
    }

    /// A result beyond the limit.
    static func tooLarge(limit: Int) -> EffectFailure {
        EffectFailure(code: "tooLarge", message: "the work's result is larger than \(limit) bytes")
    }

    /// As it comes out of the journal.
    var withoutCause: EffectFailure { EffectFailure(code: code, message: message) }
}
