/// The containers that an encoding has begun and not closed, the outermost first.
///
/// The outermost stands in place: most screens are one object of scalars.
struct OpenContainers {
    private var outermost: OpenContainer?
    private var inner: [OpenContainer] = []

    var count: Int { outermost == nil ? 0 : inner.count + 1 }

    mutating func append(_ container: OpenContainer) {
        if outermost == nil { outermost = container } else { inner.append(container) }
    }

    mutating func popLast() -> OpenContainer? {
        if let last = inner.popLast() { return last }
        defer { outermost = nil }
        return outermost
    }

    /// The container with so many around it; nil where that is not open.
    subscript(depth: Int) -> OpenContainer? {
        if depth == 0 { return outermost }
        return depth <= inner.count ? inner[depth - 1] : nil
    }

    /// Counts a member or an element of the container with so many around it.
    mutating func countChild(at depth: Int) {
        if depth == 0 { outermost?.count += 1 } else { inner[depth - 1].count += 1 }
    }
}
