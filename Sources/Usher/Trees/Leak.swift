/// A coordinator that was still in memory at the end of the input in which it ended.
public struct Leak: Equatable, Sendable {
    /// The coordinator's type, such as `LoginCoordinator`.
    public let type: String
    /// Its path of names when it ended.
    public let coordinator: String
    /// The revision of the input that ended it.
    public let revision: Int
}
