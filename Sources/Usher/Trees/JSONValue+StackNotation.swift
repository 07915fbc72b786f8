package import UsherJSON

extension JSONValue {
    /// All stacks of a report, as tests write them, each with the name of its tab or how it is shown:
    /// `tab(home){home[home], chat[chatList]} ⊕ sheet[invite]`.
    package var stackNotation: String {
        let stacks = self[member: "stacks"].map { Array($0.elements) } ?? []
        let tabs = stacks.filter { $0[member: "tab"] != nil }
        let others = stacks.filter { $0[member: "tab"] == nil }.map { stack in
            let shown = stack[member: "shown"]?.string ?? ""
            return stack.screenNotation(named: shown == "root" ? "n" : shown)
        }
        return (tabs.isEmpty ? others : [Self.tabNotation(tabs)] + others).joined(separator: " ⊕ ")
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
}
