/// The output of an effect that has nothing to tell but that it is done: an empty object.
public struct NoOutput: Codable, Equatable, Sendable {
    /// Makes the only value.
    public init() {}
}
