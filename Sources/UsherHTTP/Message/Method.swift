/// A request method: a case-sensitive token (RFC 9110 §9.1).
package struct Method: RawRepresentable, Hashable, Sendable {
    /// The method as it is written in a request line.
    package let rawValue: String

    /// Refuses what is not a token of RFC 9110 §5.6.2.
    package init?(rawValue: String) {
        guard FieldGrammar.isToken(rawValue.utf8.span) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) {
        rawValue = known
    }

    /// `GET`: the current representation of the target.
    package static let get = Method(known: "GET")
    /// `HEAD`: what `GET` would answer, without the body.
    package static let head = Method(known: "HEAD")
    /// `POST`: the target processes the body.
    package static let post = Method(known: "POST")
    /// `PUT`: the body replaces the target.
    package static let put = Method(known: "PUT")
    /// `PATCH`: the body changes the target (RFC 5789).
    package static let patch = Method(known: "PATCH")
    /// `DELETE`: the target is removed.
    package static let delete = Method(known: "DELETE")
    /// `OPTIONS`: what the target can do.
    package static let options = Method(known: "OPTIONS")
    /// `CONNECT`: a tunnel, which an origin server does not make.
    package static let connect = Method(known: "CONNECT")
}
