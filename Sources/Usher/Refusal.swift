/// Thrown by a coordinator that will not do what it was asked: the client gets the reason with status 422, and the
/// session stays exactly as it was.
public struct Refusal: Error, Sendable {
    /// One sentence for the client.
    public let reason: String

    /// Makes a refusal.
    ///
    /// - Parameter reason: One sentence for the client: why not, and what to do instead.
    public init(_ reason: String) {
        self.reason = reason
    }
}
