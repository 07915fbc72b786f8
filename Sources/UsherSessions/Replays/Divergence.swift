/// A replay that does not lead where the session once was: this build handles one of its inputs differently.
public struct Divergence: Error, Equatable, Sendable {
    /// The revision that comes out different.
    public let revision: Int
    /// What the input was, such as `event close`.
    public let input: String
    /// Where it once led.
    public let expected: String
    /// Where it leads now.
    public let found: String
}

extension Divergence: CustomStringConvertible {
    /// One sentence for an operator.
    public var description: String {
        "input \(revision) (\(input)) once led to \(expected), and now to \(found)"
    }
}
