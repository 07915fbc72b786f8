import UsherJSON

/// A screen on display, as a client sees it.
public struct ShownScreen: Sendable {
    /// The screen's instance id, by which inputs such as `from`, `popped` and `dismissed` name the screen.
    public let id: Int
    /// The screen's name on the wire.
    public let name: String
    /// The path of the coordinator that shows the screen, such as `app/tabBar/home`.
    public let coordinator: String
    /// How the screen is shown: `root`, `push`, or the style of the modal that it begins, such as `sheet`.
    public let shown: String
    /// The screen's state as JSON.
    public let state: String
    /// The names of the events in the visible screen's examples; empty for other screens.
    public let events: [String]

    init(_ entry: JSONValue) {
        id = entry[member: "id"]?.integer ?? 0
        name = entry[member: "screen"]?.string ?? ""
        coordinator = entry[member: "coordinator"]?.string ?? ""
        shown = entry[member: "shown"]?.string ?? ""
        state = entry[member: "state"]?.text ?? ""
        events = entry[member: "events"]?.members.map(\.name) ?? []
    }
}
