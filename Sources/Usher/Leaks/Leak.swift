/// A coordinator or view model that was still in memory at the end of the input in which it left.
public struct Leak: Equatable, Sendable {
    /// Its type, such as `LoginCoordinator`.
    public let type: String
    /// The path of names of the coordinator when it left; of the one that kept it, for a view model.
    public let coordinator: String
    /// The revision of the input in which it left.
    public let revision: Int
    /// What that input was, such as `back` or `event close`.
    public let input: String
    /// Who keeps it alive, once that has been looked into: a stored property's path, or a closure by its file and line.
    public internal(set) var holder: String?
}
