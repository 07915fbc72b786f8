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

    func decode(_ event: JSONValue, _ secrets: SecretLedger) throws(Rejection) -> S.Event {
        let source = SecretSource(part: .event, range: event.range, input: nil, translation: nil)
        return try events.decode(event, as: "event", of: "the screen \"\(name)\"", from: source, secrets)
    }
}
