import UsherJSON

/// What is the same for all instances of a screen type: its name, its events and their examples.
final class ScreenDescription<S: Screen>: Sendable {
    let name: String
    /// `,"events":{…}`, encoded once.
    let eventsFragment: [UInt8]
    let events: CaseTable<S.Event>

    private init() {
        name = S.name
        events = CaseTable(S.examples)
        eventsFragment = Array(#","events":"#.utf8) + events.examples
    }

    /// The description of this type, made at its first use.
    static func cached() -> ScreenDescription<S> {
        Descriptions.shared.description(of: S.self) { ScreenDescription<S>() }
    }

    func decode(_ event: JSONValue) throws(Rejection) -> S.Event {
        try events.decode(event, as: "event", of: "the screen \"\(name)\"")
    }
}
