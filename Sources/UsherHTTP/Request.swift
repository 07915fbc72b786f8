/// A complete, validated request.
package struct Request: Sendable {
    package var method: Method
    package var target: Path
    /// The query after the `?`, still percent-encoded; nil if the target has no `?`.
    package var query: String?
    package var headers: HeaderFields
    /// The content; empty if there is none.
    package var body: [UInt8]
    /// The address of the connection's peer; nil if the peer has none, as on a Unix socket.
    package var peer: NetworkAddress?

    /// Creates a request; every parameter has a default, so that a test passes only the arguments that it needs.
    package init(
        _ method: Method = .get, path: String = "/", query: String? = nil, headers: HeaderFields = HeaderFields(),
        body: [UInt8] = []
    ) {
        self.init(method, target: Path(path), query: query, headers: headers, body: body)
    }

    /// Creates a request from a path that is already split.
    package init(_ method: Method, target: Path, query: String?, headers: HeaderFields, body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The decoded path for people and logs; a `%2F` in a segment looks like a separator.
    package var path: String { target.description }

    /// A Boolean value that indicates whether the target is `*`, which means the whole server (RFC 9110 §9.3.7).
    package var isAsterisk: Bool {
        target == .asterisk
    }

    /// Returns the first decoded value of a parameter of the query (`name=value&…`), in which `+` means a space; nil if
    /// the query lacks the parameter.
    ///
    /// - Throws: A 400 if an escape is malformed.
    package func queryParameter(_ name: String) throws(Problem) -> String? {
        guard let query else { return nil }
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            guard try Self.decoded(key) == name else { continue }
            return try Self.decoded(pair[key.endIndex...].dropFirst())
        }
        return nil
    }

    /// Checks that the query consists of `name=value` pairs with known names, each name at most once.
    ///
    /// The check detects values that a client has not escaped: `subject=tom&jerry` has two parameters.
    ///
    /// - Throws: A 400 for an unknown, repeated or malformed parameter.
    package func checkQuery(for names: [String]) throws(Problem) {
        guard let query, !query.isEmpty else { return }
        var found: Set<String> = []
        for pair in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            let name = try Self.decoded(key)
            guard names.contains(name) else { throw Self.wrongQuery("unknown parameter \"\(name)\"", names) }
            guard key.endIndex < pair.endIndex else { throw Self.wrongQuery("\"\(name)\" has no value", names) }
            guard found.insert(name).inserted else { throw Self.wrongQuery("\"\(name)\" is repeated", names) }
            _ = try Self.decoded(pair[key.endIndex...].dropFirst())
        }
    }

    private static func wrongQuery(_ mistake: String, _ names: [String]) -> Problem {
        let remedy =
            names.isEmpty
            ? "this path has no parameters"
            : "send each of these at most once, as NAME=VALUE with %26 for & in a value: "
                + names.sorted().joined(separator: ", ")
        return Problem(.malformedRequest, "\(mistake); \(remedy)")
    }

    private static func decoded(_ text: Substring.UTF8View) throws(Problem) -> String {
        let raw = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        var decoding = PercentDecoding(capacity: raw.count)
        var position = 0
        while position < raw.count {
            position = try decoding.decode(raw.span, at: position)
        }
        return String(decoding: try decoding.finish(), as: UTF8.self)
    }
}

/// A request method: a case-sensitive token (RFC 9110 §9.1).
package struct Method: RawRepresentable, Hashable, Sendable {
    /// The method as it appears in a request line.
    package let rawValue: String

    /// Creates a method, or returns nil if the text is not a token (RFC 9110 §5.6.2).
    package init?(rawValue: String) {
        guard FieldGrammar.isToken(rawValue.utf8.span) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) {
        rawValue = known
    }

    // Written out, because the generic `==` of `RawRepresentable` looks up its witness at run time.
    package static func == (left: Method, right: Method) -> Bool {
        left.rawValue == right.rawValue
    }

    /// `GET`: the current representation of the target.
    package static let get = Method(known: "GET")
    /// `HEAD`: the answer of `GET` without its content.
    package static let head = Method(known: "HEAD")
    /// `POST`: the target processes the content.
    package static let post = Method(known: "POST")
    /// `PUT`: the content replaces the target.
    package static let put = Method(known: "PUT")
    /// `DELETE`: the target is removed.
    package static let delete = Method(known: "DELETE")
    /// `OPTIONS`: the methods that the target supports.
    package static let options = Method(known: "OPTIONS")
    /// `CONNECT`: a tunnel, which this server does not support.
    package static let connect = Method(known: "CONNECT")

    /// A Boolean value that indicates whether the method changes nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}
