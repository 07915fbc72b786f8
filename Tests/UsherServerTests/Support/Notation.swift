import UsherJSON

extension Answer {
    /// The window of a tree report in the notation of `scenarios.md`.
    ///
    /// Every tab has its name and the screens that it keeps while it is hidden, as in `n[start, login]` or
    /// `tab(home){home[home], chat[chatList]} ⊕ fullScreen[login]`.
    var windowNotation: String {
        let stacks = self["stacks"].map { Array($0.elements) } ?? []
        let bases = stacks.filter { $0[member: "shown"]?.string == "root" }
        let modals = stacks.filter { $0[member: "shown"]?.string != "root" }
        let over = modals.map { " ⊕ " + $0.stackNotation($0[member: "shown"]?.string) }.joined()
        guard let selected = bases.first(where: { $0[member: "displayed"]?.boolean == true })?[member: "tab"] else {
            return bases.map { $0.stackNotation("n") }.joined() + over
        }
        let tabs = bases.map { $0.stackNotation($0[member: "tab"]?.string) }.joined(separator: ", ")
        return "tab(\(selected.string ?? "")){\(tabs)}\(over)"
    }

    /// The screens of a state on display, with ids: `root:home#1 push:search#3 fullScreen:login#4`.
    var displayed: String {
        let screens = self["stack"].map { Array($0.elements) } ?? []
        return screens.map { $0.screenNotation($0[member: "shown"]?.string) }.joined(separator: " ")
    }

    /// The screens of a tree report on display, in the same notation.
    var reportedAsDisplayed: String {
        let stacks = self["stacks"]?.elements.filter { $0[member: "displayed"]?.boolean == true } ?? []
        let screens = stacks.flatMap { stack in
            stack.screens.enumerated().map { index, screen in
                screen.screenNotation(index == 0 ? stack[member: "shown"]?.string : "push")
            }
        }
        return screens.joined(separator: " ")
    }
}

extension JSONValue {
    /// A coordinator of the report in the notation of `scenarios.md`, such as `App→[Start→[Login]]`.
    var treeNotation: String {
        let name = self[member: "type"]?.string?.replacingSuffix("Coordinator") ?? ""
        let children = children.map(\.treeNotation)
        return children.isEmpty ? name : "\(name)→[\(children.joined(separator: ", "))]"
    }

    /// The number of coordinators in this part of the report.
    var coordinatorCount: Int {
        children.reduce(1) { $0 + $1.coordinatorCount }
    }

    /// Returns a stack of the report with a label, such as `home[home, search]`.
    fileprivate func stackNotation(_ label: String?) -> String {
        let names = screens.compactMap { $0[member: "screen"]?.string }
        return "\(label ?? "?")[\(names.joined(separator: ", "))]"
    }

    /// Returns a screen with the way in which it is shown, such as `push:search#3`.
    fileprivate func screenNotation(_ shown: String?) -> String {
        "\(shown ?? "?"):\(self[member: "screen"]?.string ?? "?")#\(self[member: "id"]?.integer ?? 0)"
    }

    fileprivate var screens: [JSONValue] {
        self[member: "screens"].map { Array($0.elements) } ?? []
    }

    private var children: [JSONValue] {
        self[member: "children"].map { Array($0.elements) } ?? []
    }
}

extension String {
    fileprivate func replacingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
