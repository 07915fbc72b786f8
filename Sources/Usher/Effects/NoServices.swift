/// The services of an effect, or of an app, that needs none.
public struct NoServices: Sendable {
    /// Makes the only value.
    public init() {}
}
