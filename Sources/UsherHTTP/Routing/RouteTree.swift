/// The routes by the segments of their patterns, so that a look-up walks the path once and allocates nothing.
struct RouteTree<Handler: Sendable>: Sendable {
    struct Route: Sendable {
        let method: Method
        let pattern: PathPattern
        /// Where it is among the router's routes.
        let number: Int
        let handler: Handler
    }

    private struct Branch: Sendable {
        let literal: [UInt8]
        let tree: Int
    }

    private struct Node: Sendable {
        var branches: [Branch] = []
        var parameter: Int?
        var routes: [Route] = []
    }

    private var nodes = [Node()]

    /// Adds a route; a later one for the same method and pattern takes its place.
    mutating func insert(_ route: Route) {
        var node = 0
        for segment in route.pattern.segments { node = child(of: node, segment) }
        nodes[node].routes.removeAll { $0.method == route.method }
        nodes[node].routes.append(route)
    }

    /// The routes of the pattern that a path matches; a literal segment is preferred to a parameter.
    func routes(for path: Path) -> [Route] {
        routes(of: 0, path, from: 0) ?? []
    }

    /// Every method that any path takes, each once, sorted.
    var methods: [Method] {
        Set(nodes.lazy.flatMap(\.routes).map(\.method)).sorted { $0.rawValue < $1.rawValue }
    }

    private func routes(of node: Int, _ path: Path, from start: Int) -> [Route]? {
        guard start <= path.bytes.count else {
            return nodes[node].routes.isEmpty ? nil : nodes[node].routes
        }
        let segment = path.segment(at: start)
        if let next = branch(of: node, path, segment), let found = routes(of: next, path, from: segment.upperBound + 1)
        {
            return found
        }
        guard !segment.isEmpty, let next = nodes[node].parameter else { return nil }
        return routes(of: next, path, from: segment.upperBound + 1)
    }

    private func branch(of node: Int, _ path: Path, _ segment: Range<Int>) -> Int? {
        for branch in nodes[node].branches where branch.literal.count == segment.count {
            if branch.literal.elementsEqual(path.bytes[segment]) { return branch.tree }
        }
        return nil
    }

    private mutating func child(of node: Int, _ segment: PathPattern.Segment) -> Int {
        if let known = known(node, segment) { return known }
        nodes.append(Node())
        let new = nodes.count - 1
        switch segment {
        case .literal(let bytes): nodes[node].branches.append(Branch(literal: bytes, tree: new))
        case .parameter: nodes[node].parameter = new
        }
        return new
    }

    private func known(_ node: Int, _ segment: PathPattern.Segment) -> Int? {
        switch segment {
        case .literal(let bytes): nodes[node].branches.first { $0.literal == bytes }?.tree
        case .parameter: nodes[node].parameter
        }
    }
}
