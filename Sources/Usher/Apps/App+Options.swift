import UsherJSON

extension App {
    /// Makes the root coordinator from options as they came over the wire.
    ///
    /// - Parameter members: An object's text; each member replaces the one of `Self.options`.
    /// - Throws: `JSONError` for an option that does not decode; whatever `root(_:)` throws.
    public static func root(decoding members: [UInt8]) throws -> sending AnyCoordinator {
        try root(decodedOptions(members))
    }

    /// Swift's synthesized decoders know no defaults, so the client's members are laid over the encoded defaults.
    private static func decodedOptions(_ members: [UInt8]) throws -> Options {
        let given = try JSONDocument(parsing: members).root
        guard given.kind == .object else { throw given.error("expected an object of options") }
        var encoded = JSONWriter()
        try encoded.encode(options)
        let defaults = try JSONDocument(parsing: encoded.bytes).root

        var merged = JSONWriter()
        merged.beginObject()
        for (name, value) in defaults.members {
            merged.key(name)
            merged.raw((given[member: name] ?? value).bytes)
        }
        for (name, value) in given.members where defaults[member: name] == nil {
            merged.key(name)
            merged.raw(value.bytes)
        }
        merged.endObject()
        return try JSONDocument(parsing: merged.bytes).root.decode(Options.self)
    }
}
