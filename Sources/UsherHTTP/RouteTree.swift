import UsherBytes

/// A trie of routes by the segments of their patterns; a lookup walks the path once and allocates nothing.
struct RouteTree<Handler: Sendable>: Sendable {
    struct Endpoint: Sendable {
        let method: Method
        let pattern: PathPattern
        /// The names of the query's parameters; nil if the query may have any parameters.
        let queryNames: [String]?
        /// The index of the route in the router's `routes`.
        let number: Int
        let handler: Handler
    }

    private struct Branch: Sendable {
        let literal: [UInt8]
        let child: Int
    }

    private struct TrieNode: Sendable {
        var branches: [Branch] = []
        var parameter: Int?
        var endpoints: [Endpoint] = []
    }

    private var nodes = [TrieNode()]

    /// Adds an endpoint, or replaces the endpoint with the same method and pattern.
    mutating func insert(_ endpoint: Endpoint) {
        var node = 0
        for segment in endpoint.pattern.segments { node = child(of: node, segment) }
        nodes[node].endpoints.removeAll { $0.method == endpoint.method }
        nodes[node].endpoints.append(endpoint)
    }

    /// Returns the endpoints of the pattern that a path matches; a literal segment takes precedence over a parameter.
    func endpoints(for path: Path) -> [Endpoint] {
        endpoints(of: 0, path, from: 0) ?? []
    }

    /// The methods of all endpoints, sorted.
    var methods: [Method] {
        Set(nodes.lazy.flatMap(\.endpoints).map(\.method)).sorted { $0.rawValue < $1.rawValue }
    }

    private func endpoints(of node: Int, _ path: Path, from start: Int) -> [Endpoint]? {
        guard start <= path.bytes.count else {
            return nodes[node].endpoints.isEmpty ? nil : nodes[node].endpoints
        }
        let segment = path.segment(at: start)
        let rest = segment.upperBound + 1
        if let next = literal(of: node, path, segment), let found = endpoints(of: next, path, from: rest) {
            return found
        }
        guard !segment.isEmpty, let next = nodes[node].parameter else { return nil }
        return endpoints(of: next, path, from: rest)
    }

    private func literal(of node: Int, _ path: Path, _ segment: Range<Int>) -> Int? {
        let bytes = path.bytes.span.extracting(segment)
        for branch in nodes[node].branches where branch.literal.span.isSame(as: bytes) { return branch.child }
        return nil
    }

    private mutating func child(of node: Int, _ segment: PathPattern.Component) -> Int {
        if let known = known(node, segment) { return known }
        nodes.append(TrieNode())
        let new = nodes.count - 1
        switch segment {
        case .literal(let bytes): nodes[node].branches.append(Branch(literal: bytes, child: new))
        case .parameter: nodes[node].parameter = new
        }
        return new
    }

    private func known(_ node: Int, _ segment: PathPattern.Component) -> Int? {
        switch segment {
        case .literal(let bytes): nodes[node].branches.first { $0.literal == bytes }?.child
        case .parameter: nodes[node].parameter
        }
    }
}

/// A pattern in which `{name}` matches one segment that is not empty.
struct PathPattern: Sendable {
    enum Component: Hashable, Sendable {
        case literal([UInt8])
        case parameter(name: String)
    }

    let segments: [Component]

    init(_ text: String) {
        segments = Path(text).bytes.split(separator: 0, omittingEmptySubsequences: false).map { segment in
            guard segment.first == UInt8(ascii: "{"), segment.last == UInt8(ascii: "}") else {
                return .literal(Array(segment))
            }
            return .parameter(name: String(decoding: segment.dropFirst().dropLast(), as: UTF8.self))
        }
    }

    /// Returns the index of the segment of a parameter, or nil if no parameter has the name.
    func position(of name: String) -> Int? {
        segments.firstIndex { if case .parameter(name) = $0 { true } else { false } }
    }
}

/// The values of a pattern's parameters in a path.
package struct PathParameters: Sendable {
    private let path: Path
    private let pattern: PathPattern

    init(_ path: Path, _ pattern: PathPattern) {
        self.path = path
        self.pattern = pattern
    }

    /// The decoded segment of `{name}`, or nil if the pattern has no such parameter.
    package subscript(name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the decoded segment of `{name}` as bytes, or nil if the pattern has no such parameter.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        guard let position = pattern.position(of: name) else { return nil }
        var segment = path.segment(at: 0)
        for _ in 0..<position { segment = path.segment(at: segment.upperBound + 1) }
        return path.bytes[segment]
    }
}
