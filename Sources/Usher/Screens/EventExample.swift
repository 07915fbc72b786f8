import UsherJSON

/// An author's example of an event, taken apart into its wire name and its payload.
struct EventExample<Event: Codable> {
    let event: Event
    let name: String
    /// The payload as JSON; an empty object where there is none.
    let payload: [UInt8]

    /// Fails for a value that does not encode as Swift encodes an enum: nothing can name it on the wire.
    init?(_ event: Event) {
        var writer = JSONWriter()
        guard (try? writer.encode(event)) != nil, let document = try? JSONDocument(parsing: writer.bytes),
            let (name, payload) = InputAction.nameAndPayload(of: document.root)
        else { return nil }
        self.event = event
        self.name = name
        self.payload = payload.map { Array($0.bytes) } ?? Array("{}".utf8)
    }

    /// Whether the event needs no payload.
    var isPlain: Bool { payload == Array("{}".utf8) }
}
