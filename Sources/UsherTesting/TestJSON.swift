import Usher
import UsherJSON

enum TestJSON {
    /// Returns the JSON of a value for display, with masked secrets.
    static func json(_ value: some Encodable) throws(JSONError) -> String {
        try JSONWriter.text { writer throws(JSONError) in try writer.encode(value) }
    }

    /// Returns the JSON of a value to send, with revealed secrets.
    static func revealingJSON(_ value: some Encodable) throws(JSONError) -> String {
        try JSONWriter.text { writer throws(JSONError) in try writer.encodeRevealingSecrets(value) }
    }

    static func string(_ text: String) -> String { JSONWriter.text { $0.string(text) } }

    /// Returns the name of an enum case in Swift's JSON: the string itself, or the name of the object's only member.
    static func caseName(_ json: String) -> String {
        guard let value = try? JSONDocument(parsing: Array(json.utf8)).root else { return json }
        return value.string ?? value.members.first { _ in true }?.name ?? json
    }
}

extension JSONValue {
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The notation of a coordinator and of the coordinators below it.
    var treeNotation: String {
        let type = self[member: "type"]?.string ?? ""
        let name = type.hasSuffix("Coordinator") ? String(type.dropLast("Coordinator".count)) : type
        let children = children.map(\.treeNotation)
        return children.isEmpty ? name : "\(name)→[\(children.joined(separator: ", "))]"
    }

    /// The notation of one of the app's own coordinators, with its screens and children; `!` marks a zombie.
    var ownTreeNotation: String {
        let type = self[member: "type"]?.string ?? ""
        let name = type.hasSuffix("Coordinator") ? String(type.dropLast("Coordinator".count)) : type
        let screens = self[member: "screens"]?.elements.compactMap { $0[member: "screen"]?.string } ?? []
        let isZombie = self[member: "zombie"]?.boolean == true
        let mark = isZombie ? "!" : self[member: "guessed"]?.boolean == true ? "?" : ""
        let shown = screens.isEmpty ? "" : "[\(screens.joined(separator: ", "))]"
        let children = children.map(\.ownTreeNotation)
        return name + shown + mark + (children.isEmpty ? "" : "→[\(children.joined(separator: ", "))]")
    }

    var coordinatorCount: Int {
        children.reduce(1) { $0 + $1.coordinatorCount }
    }

    private var children: [JSONValue] {
        self[member: "children"].map { Array($0.elements) } ?? []
    }
}
