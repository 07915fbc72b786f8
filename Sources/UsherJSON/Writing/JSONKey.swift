/// A member's name with its colon, as JSON: escaped once, for names that are written again and again.
///
/// ```swift
/// extension JSONKey { static let revision = JSONKey("revision") }
/// writer.key(.revision)
/// ```
public struct JSONKey: Sendable {
    let bytes: [UInt8]

    /// Makes a key.
    ///
    /// - Parameter name: The member's name.
    public init(_ name: String) {
        var writer = JSONWriter()
        writer.key(name)
        bytes = writer.bytes
    }
}

extension JSONWriter {
    /// Writes a member's name; its value must follow.
    public mutating func key(_ key: JSONKey) {
        raw(key.bytes)
    }
}
