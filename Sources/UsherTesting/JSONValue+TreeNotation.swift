import UsherJSON

extension JSONValue {
    /// The text of the value as it came.
    var text: String { String(decoding: bytes, as: UTF8.self) }

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

    private var children: [JSONValue] {
        self[member: "children"].map { Array($0.elements) } ?? []
    }
}
