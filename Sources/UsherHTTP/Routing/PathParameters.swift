/// The parts of a path that a pattern names.
public struct PathParameters: Sendable {
    let path: Path
    let pattern: PathPattern

    /// The decoded segment at `{name}`, or nil if the pattern has no such name.
    public subscript(name: String) -> String? {
        guard let wanted = pattern.position(of: name) else { return nil }
        for (position, segment) in path.segments.enumerated() where position == wanted {
            return String(decoding: segment, as: UTF8.self)
        }
        return nil
    }
}
