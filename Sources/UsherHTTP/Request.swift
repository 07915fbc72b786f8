/// A whole request, checked: method, target, fields and content.
package struct Request: Sendable {
    /// The method of the request line.
    package var method: Method
    /// The path of the target, split into segments and decoded.
    package var target: Path
    /// The query of the target, behind its `?`, still percent-encoded; nil if there is none.
    package var query: String?
    /// The header section.
    package var headers: HeaderFields
    /// The content; empty if there is none.
    package var body: [UInt8]
    /// The address of the connection's other end; nil for one that has none, such as a Unix socket's.
    package var peer: NetworkAddress?

    /// A request; every part has a default, so that a test names only what it is about.
    package init(
        _ method: Method = .get, path: String = "/", query: String? = nil, headers: HeaderFields = HeaderFields(),
        body: [UInt8] = []
    ) {
        self.init(method, target: Path(path), query: query, headers: headers, body: body)
    }

    /// A request whose path is split already.
    package init(_ method: Method, target: Path, query: String?, headers: HeaderFields, body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The decoded path as text, for people and logs: a `%2F` in a segment looks like a separator here.
    package var path: String { target.description }

    /// True if the target is `*`, the server as a whole (RFC 9110 §9.3.7).
    package var isAsterisk: Bool {
        target == .asterisk
    }

    /// The decoded value of a parameter of the query, of the form `name=value&…`; `+` is a space.
    ///
    /// - Returns: nil if the parameter is not there; the first if it is there more than once, which `checkQuery` refuses.
    /// - Throws: a 400 if the value's escapes are wrong.
    package func queryParameter(_ name: String) throws(Problem) -> String? {
        guard let query else { return nil }
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            guard try Self.decoded(key) == name else { continue }
            return try Self.decoded(pair[key.endIndex...].dropFirst())
        }
        return nil
    }

    /// Checks that the query consists of `name=value` pairs, each with another of the names that the request may have.
    ///
    /// A client that does not escape a value sends other parameters than it means to: `subject=tom&jerry` has two.
    ///
    /// - Parameter names: The names.
    /// - Throws: `Problem` 400 for an unknown, repeated or malformed parameter.
    package func checkQuery(for names: [String]) throws(Problem) {
        guard let query, !query.isEmpty else { return }
        var found: Set<String> = []
        for pair in query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let key = pair.prefix { $0 != UInt8(ascii: "=") }
            let name = try Self.decoded(key)
            guard names.contains(name) else { throw Self.wrongQuery("unknown parameter \"\(name)\"", names) }
            guard key.endIndex < pair.endIndex else { throw Self.wrongQuery("\"\(name)\" has no value", names) }
            guard found.insert(name).inserted else { throw Self.wrongQuery("\"\(name)\" is there twice", names) }
            _ = try Self.decoded(pair[key.endIndex...].dropFirst())
        }
    }

    private static func wrongQuery(_ mistake: String, _ names: [String]) -> Problem {
        let remedy =
            names.isEmpty
            ? "this path takes no parameters"
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
    /// The method as it is written in a request line.
    package let rawValue: String

    /// Refuses a text that is not a token of RFC 9110 §5.6.2.
    package init?(rawValue: String) {
        guard FieldGrammar.isToken(rawValue.utf8.span) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) {
        rawValue = known
    }

    // Written out: what the standard library has for all raw values is looked up at run time.
    /// Two methods are the same if they are written so.
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
    /// `OPTIONS`: the methods that the target takes.
    package static let options = Method(known: "OPTIONS")
    /// `CONNECT`: a tunnel, which an origin server does not make.
    package static let connect = Method(known: "CONNECT")

    /// True of a method that asks for no change (RFC 9110 §9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}
