/// How a session ended by itself.
public struct Ending: Sendable {
    /// What the root coordinator did.
    public enum Reason: String, Sendable {
        /// It finished with an output.
        case finished
        /// It gave up.
        case cancelled
    }

    /// What the root coordinator did.
    public let reason: Reason
    /// Its output as JSON, where the output encodes.
    public let result: [UInt8]?
}
