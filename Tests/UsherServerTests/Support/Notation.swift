import UsherJSON

extension Answer {
    /// The stack as `scenarios.md` writes it, such as `n[start, login]`.
    var stackNotation: String {
        let names = self["stack"]?.elements.compactMap { $0[member: "screen"]?.string } ?? []
        return "n[\(names.joined(separator: ", "))]"
    }
}

extension JSONValue {
    /// A coordinator of the report as `scenarios.md` writes it, such as `App→[Start→[Login]]`.
    var treeNotation: String {
        let name = self[member: "type"]?.string?.replacingSuffix("Coordinator") ?? ""
        let children = children.map(\.treeNotation)
        return children.isEmpty ? name : "\(name)→[\(children.joined(separator: ", "))]"
    }

    /// The coordinators of this part of the report.
    var coordinatorCount: Int {
        children.reduce(1) { $0 + $1.coordinatorCount }
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
