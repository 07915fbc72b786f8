/// An input of a session: a screen's event, or the user's navigation.
public enum Input: Sendable, Equatable {
    /// An event, encoded as Swift encodes an enum's case. If `screen` is nil, the event goes to the visible screen.
    case event(JSON, screen: Int?)
    /// The user asks to go back from a screen, or from the visible screen if `screen` is nil.
    case back(screen: Int? = nil)
    /// The user has popped a screen with a gesture. The view has already removed the screen.
    case popped(Int)
    /// The user has dismissed the modal that begins with a screen. The view has already removed the modal.
    case dismissed(Int)
    /// The user tapped a tab.
    case select(String)
    /// A deep link: flows from the root coordinator down.
    case open([JSON])

    /// Returns an event by its name, with an optional payload.
    public static func event(named name: String, _ payload: JSON? = nil, screen: Int? = nil) -> Input {
        .event(payload.map { .object([name: $0]) } ?? .string(name), screen: screen)
    }

    /// Returns this input with the visible screen's id if it names no screen.
    func naming(_ visible: Screen?) -> Input {
        switch self {
        case .event(let event, nil): .event(event, screen: visible?.id)
        case .back(nil): .back(screen: visible?.id)
        default: self
        }
    }

    /// The body of the input's request.
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
