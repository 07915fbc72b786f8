/// An input of a session: an event of a screen, or what the user did with the window.
public enum Input: Sendable, Equatable {
    /// An event, as Swift codes an enum's case; of the visible screen where none is named.
    case event(JSON, screen: Int?)
    /// The user asks to go back from a screen; from the visible one if none is named.
    case back(screen: Int? = nil)
    /// The user has popped a screen: a fact.
    case popped(Int)
    /// The user has closed the modal that began with a screen: a fact.
    case dismissed(Int)
    /// The user tapped a tab.
    case select(String)
    /// A deep link: flows from the root down.
    case open([JSON])

    /// An event by its name, with a payload where it has one.
    public static func event(named name: String, _ payload: JSON? = nil, screen: Int? = nil) -> Input {
        .event(payload.map { .object([name: $0]) } ?? .string(name), screen: screen)
    }

    /// Returns the same input, which names the visible screen unless it names a screen already.
    func naming(_ visible: Screen?) -> Input {
        switch self {
        case .event(let event, nil): .event(event, screen: visible?.id)
        case .back(nil): .back(screen: visible?.id)
        default: self
        }
    }

    /// The body of its request.
    var body: JSON {
        switch self {
        case .event(let event, nil): ["event": event]
        case .event(let event, let screen?): ["screen": .integer(Int64(screen)), "event": event]
        case .back(nil): ["back": true]
        case .back(let screen?): ["screen": .integer(Int64(screen)), "back": true]
        case .popped(let screen): ["popped": .integer(Int64(screen))]
        case .dismissed(let screen): ["dismissed": .integer(Int64(screen))]
        case .select(let tab): ["select": .string(tab)]
        case .open(let flows): ["open": .array(flows)]
        }
    }
}
