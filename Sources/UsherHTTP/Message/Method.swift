/// A request method: a case-sensitive token (RFC 9110 §9.1).
public struct Method: RawRepresentable, Hashable, Sendable {
    /// The method as it is written in a request line.
    public let rawValue: String

    /// Refuses what is not a token of RFC 9110 §5.6.2.
    public init?(rawValue: String) {
        guard FieldGrammar.isToken(rawValue.utf8.span) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) {
        rawValue = known
    }

    /// `GET`: the current representation of the target.
    public static let get = Method(known: "GET")
    /// `HEAD`: what `GET` would answer, without the body.
    public static let head = Method(known: "HEAD")
    /// `POST`: the target processes the body.
    public static let post = Method(known: "POST")
    /// `PUT`: the body replaces the target.
    public static let put = Method(known: "PUT")
    /// `PATCH`: the body changes the target (RFC 5789).
    public static let patch = Method(known: "PATCH")
    /// `DELETE`: the target is removed.
    public static let delete = Method(known: "DELETE")
    /// `OPTIONS`: what the target can do.
    public static let options = Method(known: "OPTIONS")
    /// `CONNECT`: a tunnel, which an origin server does not make.
    public static let connect = Method(known: "CONNECT")
}
