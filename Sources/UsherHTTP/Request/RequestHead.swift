/// The head of a request as it came over the wire, before any of it is believed.
///
/// `checked(bodyLimit:)` is every check of RFC 9112 that can be made on values; it needs no socket.
package struct RequestHead: Sendable {
    /// The first word of the request line.
    package var method: String
    /// The second word, taken apart; or why it could not be.
    package var target: Result<Target, Problem>
    /// The last word of the request line.
    package var version: String
    /// The header section.
    package var headers: HeaderFields
    /// Whether a field was left out of `headers` because its name or value is not legal.
    package var hasIllegalField: Bool

    /// A head from its parts.
    package init(
        method: String, target: Result<Target, Problem>, version: String = "HTTP/1.1", headers: HeaderFields,
        hasIllegalField: Bool = false
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.hasIllegalField = hasIllegalField
    }

    /// How the end of the body is known (RFC 9112 §6.3).
    package enum Framing: Hashable, Sendable {
        /// There is no body.
        case none
        /// `Content-Length` says how many bytes.
        case length(Int)
        /// Chunks, up to the one of size zero.
        case chunked
    }

    /// Believes the head, or says why not.
    ///
    /// - Parameter bodyLimit: how many bytes of body are taken.
    /// - Returns: The request, still without its body, and where that ends.
    /// - Throws: the problem to answer with, after which the connection must be closed: its framing is in doubt.
    package consuming func checked(bodyLimit: Int) throws(Problem) -> (request: Request, framing: Framing) {
        var request = Request()
        let framing = try check(bodyLimit: bodyLimit, into: &request)
        return (request, framing)
    }

    /// The same with the request put where it is needed, instead of copied there; without a body in it.
    package consuming func check(bodyLimit: Int, into request: inout Request) throws(Problem) -> Framing {
        try checkVersion()
        let target = try target.get()
        let method = try checkedMethod(for: target)
        let decisive = DecisiveFields(headers)
        try checkFields(decisive)
        let framing = try framing(decisive, limit: bodyLimit)
        request.method = method
        request.target = target.path
        request.query = target.query
        request.headers = fieldsWithHost(target)
        return framing
    }
}
