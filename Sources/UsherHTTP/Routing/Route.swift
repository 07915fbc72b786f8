/// One of a router's routes, as it was added.
public struct Route: Hashable, Sendable {
    /// The method that it answers.
    public let method: Method
    /// Its pattern, such as `/sessions/{id}`, or the name that it shares with others.
    public let name: String

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - name: Its pattern, or the name that it shares with others.
    public init(_ method: Method, _ name: String) {
        self.method = method
        self.name = name
    }
}
