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
