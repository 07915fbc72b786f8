/// A whole request, checked: method, target, fields and body.
package struct Request: Sendable {
    /// What is asked for.
    package var method: Method
    /// The path of the target, split into segments and decoded.
    package var target: Path
    /// What follows the `?` of the target, still percent-encoded; nil if there is none.
    package var query: String?
    /// The header section.
    package var headers: HeaderFields
    /// The content; empty if there is none.
    package var body: [UInt8]

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
    package var path: String {
        get { target.description }
        set { target = Path(newValue) }
    }

    /// The decoded segments of the path, split before they were decoded.
    package var segments: Path.Segments { target.segments }

    /// Whether the target is `*`, the server as a whole (RFC 9110 §9.3.7).
    package var isAsterisk: Bool {
        target == .asterisk
    }
}
