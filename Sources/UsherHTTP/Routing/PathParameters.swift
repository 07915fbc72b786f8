/// The parts of a path that a pattern names.
package struct PathParameters: Sendable {
    let path: Path
    let pattern: PathPattern

    /// The decoded segment at `{name}`, or nil if the pattern has no such name.
    package subscript(name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same as bytes.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        guard let wanted = pattern.position(of: name) else { return nil }
        for (position, segment) in path.segments.enumerated() where position == wanted { return segment }
        return nil
    }
}
