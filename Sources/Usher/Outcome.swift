/// The end of a child coordinator, as its parent sees it.
public enum Outcome<Output> {
    /// It did what it was started for.
    case finished(Output)
    /// It was given up: by itself, by a back button, by a swipe.
    case cancelled
    /// It finished towards a next flow.
    case left
}

extension Outcome: Sendable where Output: Sendable {}

extension Outcome {
    /// The output of one that finished; nil for one that did not.
    public var output: Output? {
        guard case .finished(let output) = self else { return nil }
        return output
    }

    /// The same outcome with the output's type forgotten.
    var erased: Outcome<Any> {
        switch self {
        case .finished(let output): .finished(output)
        case .cancelled: .cancelled
        case .left: .left
        }
    }
}
