/// What an effect is given when it runs.
public struct EffectContext<Services: Sendable>: Sendable {
    /// What the app's `services()` made.
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
