/// A parsed, fully validated JSON text (RFC 8259): a tape of tokens over the bytes.
///
/// The reader is strict: duplicate members, byte order marks, invalid UTF-8 and whatever else the RFC does not allow
/// are refused, with the place.
public struct JSONDocument: Sendable {
    /// How deep objects and arrays may be nested.
    public static let maximumDepth = 64

    private let storage: JSONStorage

    /// Parses a text.
    ///
    /// - Parameter bytes: The whole text in UTF-8.
    /// - Throws: A `JSONError` of the kind `syntax`, `duplicateMember` or `depth`.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = Parser(bytes)
        storage = JSONStorage(try parser.parse())
    }

    /// The value that the text is.
    public var root: JSONValue { JSONValue(storage: storage, index: 0) }
}
