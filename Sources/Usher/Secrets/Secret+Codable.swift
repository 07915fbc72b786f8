import UsherJSON

extension Secret: Encodable {
    /// Encodes an ellipsis.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard Revelation.isOn else { return try container.encode(secretMask) }
        guard let value = try? peek() else { return try container.encodeNil() }
        try container.encode(value)
    }
}

extension Secret: Decodable {
    /// Decodes the value itself.
    ///
    /// - Throws: `DecodingError` without any part of the text: an error is shown to people.
    public init(from decoder: any Decoder) throws {
        let usher = decoder as? ValueDecoder
        guard let usher, let ledger = usher.context as? SecretLedger else {
            self.init(try Self.value(from: decoder))
            return
        }
        if ledger.isErased, usher.json.kind == .null {
            // Looked at, and nothing more is to be read.
            _ = try decoder.singleValueContainer()
            self.init(SecretBox(nil, use: nil))
        } else {
            let value = try Self.value(from: decoder)
            self.init(SecretBox(value, use: ledger.note(usher.json)))
        }
    }

    private static func value(from decoder: any Decoder) throws -> Value {
        do {
            return try decoder.singleValueContainer().decode(Value.self)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "expected a secret that holds \(Value.self)"))
        }
    }
}
