/// The options of an app that has none: an empty object.
public struct NoOptions: Codable, Sendable {
    /// Makes the only value.
    public init() {}
}
