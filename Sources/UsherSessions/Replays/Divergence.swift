/// A replay that does not lead where the session once was: this build handles one of its inputs differently.
package struct Divergence: Error, Equatable, Sendable {
    /// The revision that comes out different.
    package let revision: Int
    /// What the input was, such as `event close`.
    package let input: String
    /// Where it once led.
    package let expected: String
    /// Where it leads now.
    package let found: String
}

extension Divergence: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        "input \(revision) (\(input)) once led to \(expected), and now to \(found)"
    }
}
