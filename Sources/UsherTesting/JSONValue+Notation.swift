import UsherJSON

extension JSONValue {
    /// The text of the value as it came.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// All stacks of a report, each with the name of its tab or how it is shown.
    var stackNotation: String {
        let stacks = self[member: "stacks"].map { Array($0.elements) } ?? []
        let tabs = stacks.filter { $0[member: "tab"] != nil }
        let others = stacks.filter { $0[member: "tab"] == nil }.map { stack in
            let shown = stack[member: "shown"]?.string ?? ""
            return stack.screenNotation(named: shown == "root" ? "n" : shown)
        }
        return (tabs.isEmpty ? others : [Self.tabNotation(tabs)] + others).joined(separator: " ⊕ ")
    }

    /// A coordinator of a report with those below it.
    var treeNotation: String {
        let type = self[member: "type"]?.string ?? ""
        let name = type.hasSuffix("Coordinator") ? String(type.dropLast("Coordinator".count)) : type
        let children = children.map(\.treeNotation)
        return children.isEmpty ? name : "\(name)→[\(children.joined(separator: ", "))]"
    }

    /// The coordinators of this part of a report.
    var coordinatorCount: Int {
        children.reduce(1) { $0 + $1.coordinatorCount }
    }

    private static func tabNotation(_ tabs: [JSONValue]) -> String {
        let selected = tabs.first { $0[member: "displayed"]?.boolean == true }
        let stacks = tabs.map { $0.screenNotation(named: $0[member: "tab"]?.string ?? "") }
        return "tab(\(selected?[member: "tab"]?.string ?? "")){\(stacks.joined(separator: ", "))}"
    }

    private func screenNotation(named name: String) -> String {
        let screens = self[member: "screens"]?.elements.compactMap { $0[member: "screen"]?.string } ?? []
        return "\(name)[\(screens.joined(separator: ", "))]"
    }

    private var children: [JSONValue] {
        self[member: "children"].map { Array($0.elements) } ?? []
    }
}
