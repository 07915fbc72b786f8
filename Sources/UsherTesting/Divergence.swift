/// An input that led to another state when it was handled a second time: something in the app is not a function of its
/// options, its inputs, its clock and its random numbers.
public struct Divergence: Sendable {
    /// The input, as a client would send it.
    public let input: String
    /// The state that it led to at first.
    public let first: String
    /// The state, or the rejection, that it led to when replayed.
    public let second: String

    /// Makes a divergence.
    ///
    /// - Parameters:
    ///   - input: The input, as a client would send it.
    ///   - first: The state that it led to at first.
    ///   - second: What it led to when replayed.
    public init(input: String, first: String, second: String) {
        self.input = input
        self.first = first
        self.second = second
    }
}
