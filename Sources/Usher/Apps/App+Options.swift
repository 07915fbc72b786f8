import UsherJSON

extension App {
    /// Makes the root coordinator from options as they came over the wire.
    ///
    /// - Parameters:
    ///   - members: An object's text; each member replaces the one of `Self.options`.
    ///   - secrets: The account of the secrets in it.
    /// - Throws: `JSONError` for an option that does not decode; whatever `root(_:)` throws.
    static func root(decoding members: [UInt8], _ secrets: SecretLedger) throws -> AnyCoordinator {
        let options = try decodedOptions(members, secrets)
        return try secrets.handling { try root(options) }
    }

    /// Swift's synthesized decoders know no defaults, so the client's members are laid over the encoded defaults.
    private static func decodedOptions(_ members: [UInt8], _ secrets: SecretLedger) throws -> Options {
        let given = try JSONDocument(parsing: members).root
        guard given.kind == .object else { throw given.error("expected an object of options") }
        var encoded = JSONWriter()
        try encoded.encodeRevealingSecrets(options)
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
        let json = try JSONDocument(parsing: merged.bytes).root
        let translation = OptionsTranslation(given: given, merged: json, length: members.count)
        return try secrets.decode(
            Options.self, json,
            from: SecretSource(part: .options, range: json.range, input: nil, translation: translation))
    }
}
