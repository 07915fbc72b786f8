/// One of a router's routes, as it was added.
package struct Route: Hashable, Sendable {
    /// The method that it answers.
    package let method: Method
    /// Its pattern, such as `/sessions/{id}`, or the name that it shares with others.
    package let name: String

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - name: Its pattern, or the name that it shares with others.
    package init(_ method: Method, _ name: String) {
        self.method = method
        self.name = name
    }
}
