/// Work that takes time or touches the world, as a value: a coordinator hands it to `perform` and is told the result.
///
/// It runs outside of the coordinators, after all that the input has led to is kept. Its output is kept in the journal,
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
    /// What it works with, made by the app's `services()`; none by default.
    associatedtype Services: Sendable = NoServices

    /// What it leads to. The closure gets it as it is decoded from its JSON.
    associatedtype Output: Codable & Sendable

    /// The name on the wire. By default the type's without `Effect`: `SignInEffect` is `signIn`.
    static var name: String { get }

    /// Does the work.
    ///
    /// It may run more than once: again when the process died before the result was kept.
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

    /// The name, made at its first use.
    static var cachedName: String { Descriptions.shared.value(of: Self.self) { name } }
}
