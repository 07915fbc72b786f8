import UsherJSON

/// A value of an enum, taken apart into its wire name and its payload.
struct CaseExample<Value: Encodable> {
    let value: Value
    let name: String
    /// The payload as JSON; an empty object where there is none.
    let payload: [UInt8]

    /// Fails for a value that does not encode as Swift encodes an enum: nothing can name it on the wire.
    init?(_ value: Value) {
        var writer = JSONWriter()
        guard (try? writer.encode(value)) != nil, let document = try? JSONDocument(parsing: writer.bytes),
            let (name, payload) = document.root.caseNameAndPayload
        else { return nil }
        self.value = value
        self.name = name
        self.payload = payload.map { Array($0.bytes) } ?? Array("{}".utf8)
    }

    /// Whether the case needs no payload.
    var isPlain: Bool { payload == Array("{}".utf8) }
}
