/// A whole request, checked: method, target, fields and body.
public struct Request: Sendable {
    /// What is asked for.
    public var method: Method
    /// The path of the target, split into segments and decoded.
    public var target: Path
    /// What follows the `?` of the target, still percent-encoded; nil if there is none.
    public var query: String?
    /// The header section.
    public var headers: HeaderFields
    /// The content; empty if there is none.
    public var body: [UInt8]

    /// A request; every part has a default, so that a test names only what it is about.
    public init(
        _ method: Method = .get, path: String = "/", query: String? = nil, headers: HeaderFields = HeaderFields(),
        body: [UInt8] = []
    ) {
        self.init(method, target: Path(path), query: query, headers: headers, body: body)
    }

    /// A request whose path is split already.
    public init(_ method: Method, target: Path, query: String?, headers: HeaderFields, body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The decoded path as text, for people and logs: a `%2F` in a segment looks like a separator here.
    public var path: String {
        get { target.description }
        set { target = Path(newValue) }
    }

    /// The decoded segments of the path, split before they were decoded.
    public var segments: Path.Segments { target.segments }

    /// Whether the target is `*`, the server as a whole (RFC 9110 §9.3.7).
    public var isAsterisk: Bool {
        target == .asterisk
    }
}
