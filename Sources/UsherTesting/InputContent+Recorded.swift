import Usher
import UsherJSON

extension InputContent {
    /// Reads an input of a recorded session: an action as a client sends it, or what the journal keeps of an effect's
    /// result, a timer, a refused result or a message.
    ///
    /// - Throws: `JSONError` for another shape.
    init(recorded json: JSONValue) throws(JSONError) {
        guard let kind = json.members.lazy.map({ $0.name }).first(where: { Self.companions[$0] != nil }) else {
            self = .action(try InputAction(json))
            return
        }
        for (name, value) in json.members where name != kind && Self.companions[kind]?.contains(name) != true {
            throw value.error("unknown member \"\(name)\"; it does not go with \"\(kind)\"")
        }
        try self.init(payload: json)
    }

    /// What goes with the member that tells a kind.
    private static let companions: [String: Set<String>] = [
        "effect": ["success", "failure"], "timer": [], "refused": ["reason"], "message": [],
    ]
}
