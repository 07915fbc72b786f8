import UsherJSON

/// A session's state as a client with the profile `changes` assembles it.
struct ReducedStateCopy {
    /// The revision of the state; 0 before the first response.
    private(set) var revision = 0
    /// The stack: for each screen, the text of its members with the names of its events.
    private(set) var stack: [String] = []
    /// The members besides the stack and `changes`, which differ if a response has waited.
    private(set) var others: [String: String] = [:]
    private var screens: [Int: String] = [:]

    /// Applies a response.
    ///
    /// - Returns: `false` if the response's changes are relative to another state; the copy then stays unchanged.
    @discardableResult
    mutating func take(_ state: JSONValue?) -> Bool {
        guard let state, let revision = state[member: "revision"]?.integer else { return false }
        guard revision != self.revision else { return true }
        if let since = state[member: "since"], since.integer != self.revision { return false }
        let entries = state[member: "stack"]?.elements.map { $0 } ?? []
        for entry in entries where entry[member: "screen"] != nil {
            screens[entry[member: "id"]?.integer ?? 0] = Self.text(of: entry)
        }
        stack = entries.map { "\(screens[$0[member: "id"]?.integer ?? 0] ?? "") \(Self.events(of: $0))" }
        self.revision = revision
        others = Self.others(of: state)
        return true
    }

    /// Creates a copy of a complete state.
    init(whole state: JSONValue) {
        stack = state[member: "stack"]?.elements.map { "\(Self.text(of: $0)) \(Self.events(of: $0))" } ?? []
        revision = state[member: "revision"]?.integer ?? 0
        others = Self.others(of: state)
    }

    init() {}

    private static func text(of entry: JSONValue) -> String {
        entry.members.filter { $0.name != "events" }.map { "\($0.name):\($0.value.text)" }.joined(separator: ",")
    }

    /// Returns the names of a screen's events, which the complete state contains with examples.
    private static func events(of entry: JSONValue) -> [String] {
        guard let events = entry[member: "events"] else { return [] }
        return events.kind == .array ? events.elements.compactMap(\.string) : events.members.map(\.name)
    }

    private static func others(of state: JSONValue) -> [String: String] {
        let known = ["stack", "since", "changes"]
        return Dictionary(
            uniqueKeysWithValues: state.members.filter { !known.contains($0.name) }.map { ($0.name, $0.value.text) })
    }
}

extension ReducedStateCopy: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.revision == right.revision && left.stack == right.stack && left.others == right.others
    }
}
