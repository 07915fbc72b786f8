package import UsherJSON

/// A user's action in a session.
///
/// The action's JSON is the body of `POST /sessions/{id}/events`.
package enum InputAction: Sendable {
    /// An event of a screen; nil stands for the visible screen.
    case event(screen: Int?, event: JSONValue)
    /// The user wants to go back from a screen; nil stands for the visible screen.
    case back(screen: Int?)
    /// The user has already popped this screen.
    case popped(Int)
    /// The user has already pulled down the modal that began with this screen.
    case dismissed(Int)
    /// The user tapped a tab.
    case select(String)
    /// A deep link: flows from the root down, each in Swift's coding of an enum case.
    case open([JSONValue])

    /// Decodes an action.
    ///
    /// - Throws: `JSONError` that names the wrong, missing or unknown member, and says what to send instead.
    package init(_ json: JSONValue) throws(JSONError) {
        // Most actions are events of the visible screen. For these actions, do not create strings for names.
        if let event = json.onlyMember("event"), event.isCase {
            self = .event(screen: nil, event: event)
            return
        }
        guard json.kind == .object else { throw json.error("expected an object; \(Self.usage)") }
        var kind: (name: String, value: JSONValue)?
        var speaker: JSONValue?
        for (name, value) in json.members {
            switch name {
            // Null is the same as no member.
            case "screen": speaker = value.kind == .null ? nil : value
            case _ where !Self.names.contains(name):
                throw value.error("unknown member \"\(name)\"; \(Self.usage)")
            case _ where kind != nil: throw Self.notOne(json)
            default: kind = (name, value)
            }
        }
        guard let kind else { throw Self.notOne(json) }
        let screen = try speaker.map { value throws(JSONError) in try Self.screen(value) }
        if let speaker, kind.name != "event", kind.name != "back" {
            throw speaker.error("\"screen\" is allowed only with \"event\" and \"back\"")
        }
        switch kind.name {
        case "event": self = .event(screen: screen, event: try Self.event(kind.value))
        case "back": self = try Self.back(kind.value, from: screen)
        case "popped": self = .popped(try Self.screen(kind.value))
        case "dismissed": self = .dismissed(try Self.screen(kind.value))
        case "select": self = .select(try Self.tab(kind.value))
        default: self = .open(try Self.steps(kind.value))
        }
    }

    /// A summary without private data, such as `back` or `event close`.
    package var summary: String {
        switch self {
        case .event(_, let event): "event \(event.caseNameAndPayload?.name ?? "")"
        case .back: "back"
        case .popped: "popped"
        case .dismissed: "dismissed"
        case .select: "select"
        case .open: "open"
        }
    }

    /// Appends the action in the form in which clients send it; see also `InputContent.write(into:secrets:)`.
    @discardableResult
    package func write(into writer: inout JSONWriter, secrets: SecretPlaces = SecretPlaces()) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        writer.beginObject()
        switch self {
        case .event(let screen, let event):
            Self.write(screen, into: &writer)
            writer.key(.event)
            ranges = secrets.write(event: event, into: &writer)
        case .back(let screen):
            Self.write(screen, into: &writer)
            writer.key(.back)
            writer.boolean(true)
        case .popped(let screen):
            writer.key(.popped)
            writer.integer(screen)
        case .dismissed(let screen):
            writer.key(.dismissed)
            writer.integer(screen)
        case .select(let tab):
            writer.key(.select)
            writer.string(tab)
        case .open(let steps):
            writer.key(.open)
            ranges = secrets.write(link: steps, into: &writer)
        }
        writer.endObject()
        return ranges
    }

    private static let names = ["event", "back", "popped", "dismissed", "select", "open"]
    private static let usage = """
        send {"event":NAME}, {"screen":ID,"event":{NAME:{…}}}, {"screen":ID,"back":true}, {"popped":ID}, {"dismissed":ID}, \
        {"select":TAB} or {"open":[FLOW,…]}
        """

    private static func notOne(_ json: JSONValue) -> JSONError {
        json.error("expected exactly one of \(names.map { "\"\($0)\"" }.joined(separator: ", ")); \(usage)")
    }

    private static func screen(_ value: JSONValue) throws(JSONError) -> Int {
        guard let id = value.integer else { throw value.error("expected a screen's id, a whole number") }
        return id
    }

    private static func event(_ value: JSONValue) throws(JSONError) -> JSONValue {
        guard value.isCase else {
            throw value.error("expected an event's name, or an object with one member")
        }
        return value
    }

    private static func tab(_ value: JSONValue) throws(JSONError) -> String {
        guard let name = value.string else { throw value.error("expected the name of a tab") }
        return name
    }

    /// Returns the steps of a link; throws if the value is not a list of at least one flow.
    package static func steps(_ value: JSONValue) throws(JSONError) -> [JSONValue] {
        let steps = Array(value.elements)
        guard !steps.isEmpty else { throw value.error("expected a list of flows, from the root down") }
        if let wrong = steps.first(where: { !$0.isCase }) {
            throw wrong.error("expected a flow's name, or an object with one member")
        }
        return steps
    }

    private static func back(_ value: JSONValue, from screen: Int?) throws(JSONError) -> InputAction {
        guard value.boolean == true else { throw value.error("expected true") }
        return .back(screen: screen)
    }

    private static func write(_ screen: Int?, into writer: inout JSONWriter) {
        guard let screen else { return }
        writer.key(.screen)
        writer.integer(screen)
    }
}

extension JSONKey {
    static var screen: JSONKey { JSONKey(#""screen":"#) }
    static var event: JSONKey { JSONKey(#""event":"#) }
    static var popped: JSONKey { JSONKey(#""popped":"#) }
    static var dismissed: JSONKey { JSONKey(#""dismissed":"#) }
    static var select: JSONKey { JSONKey(#""select":"#) }
    static var open: JSONKey { JSONKey(#""open":"#) }
}
