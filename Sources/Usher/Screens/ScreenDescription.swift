import UsherJSON

/// What is the same for all instances of a screen type: its name, its events and their examples.
final class ScreenDescription<S: Screen>: Sendable {
    let name: String
    /// `,"events":{…}`, encoded once.
    let eventsFragment: [UInt8]
    /// The events without a payload by name: no decoder has to run for them.
    private let plainEvents: [String: S.Event]
    private let eventNames: [String]

    private init() {
        name = S.name
        let examples = S.examples.compactMap { EventExample($0) }
        var plainEvents: [String: S.Event] = [:]
        var eventNames: [String] = []
        var writer = JSONWriter()
        writer.beginObject()
        for example in examples where !eventNames.contains(example.name) {
            eventNames.append(example.name)
            if example.isPlain { plainEvents[example.name] = example.event }
            writer.key(example.name)
            writer.raw(example.payload)
        }
        writer.endObject()
        eventsFragment = Array(#","events":"#.utf8) + writer.bytes
        self.plainEvents = plainEvents
        self.eventNames = eventNames
    }

    /// The description of this type, made at its first use.
    static func cached() -> ScreenDescription<S> {
        ScreenDescriptions.shared.description(of: S.self) { ScreenDescription<S>() }
    }

    /// Decodes an event as Swift codes an enum case: a bare name, or an object with the name and the payload.
    ///
    /// - Throws: A rejection that names the screen and the events that it takes, or the place in the payload.
    func decode(_ json: JSONValue) throws(Rejection) -> S.Event {
        guard let (name, payload) = InputAction.nameAndPayload(of: json) else {
            throw Rejection(.invalid, "an event is a name, or an object with one member")
        }
        if payload.map(Self.isEmptyObject) ?? true, let event = plainEvents[name] { return event }
        do {
            return try json.decode(S.Event.self)
        } catch {
            throw rejection(of: name, because: error)
        }
    }

    private static func isEmptyObject(_ json: JSONValue) -> Bool {
        var members = json.members.makeIterator()
        return json.kind == .object && members.next() == nil
    }

    private func rejection(of event: String, because error: JSONError) -> Rejection {
        if eventNames.contains(event) {
            return Rejection(.invalid, "the event \"\(event)\" of the screen \"\(name)\": \(error)")
        }
        let known = eventNames.isEmpty ? "it takes none" : "it takes: \(eventNames.joined(separator: ", "))"
        return Rejection(.invalid, "the screen \"\(name)\" has no event \"\(event)\"; \(known)")
    }
}
