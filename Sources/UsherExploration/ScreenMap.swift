import Usher
import UsherBytes

/// The map of an app for people: screens are nodes, and inputs from one screen to another screen are edges.
///
/// States that show the same screen are one node. Links and messages may come while any screen is visible, so their
/// edges begin at a node for the outside. If an input does not lead to another screen, the map shows the input only if
/// it is an event.
package struct ScreenMap: Sendable {
    private struct Edge: Hashable {
        let from: String
        let to: String
    }

    private let app: String
    /// The names of the screens, in the order in which the screens were found.
    private var nodes: [String] = []
    private var edges: [(edge: Edge, labels: [String])] = []
    private var indices: [Edge: Int] = [:]

    /// The node at which the edges of links and messages begin.
    private static let outside = "from outside"

    /// Creates the map of an exploration.
    package init(_ exploration: Exploration) {
        app = exploration.app.name
        for state in exploration.states.indices {
            let name = exploration.name(of: state)
            if !nodes.contains(name) { nodes.append(name) }
        }
        for passage in exploration.passages where passage.report?.outcome == .accepted {
            guard let target = passage.target else { continue }
            let (from, to) = (exploration.name(of: passage.source), exploration.name(of: target))
            let kind = passage.offer.kind
            guard from != to || kind == .event || !kind.isWithinApp else { continue }
            add(kind.isWithinApp ? from : Self.outside, to, passage.offer.mapLabel)
        }
        if edges.contains(where: { $0.edge.from == Self.outside }) { nodes.append(Self.outside) }
    }

    private mutating func add(_ from: String, _ to: String, _ label: String) {
        let edge = Edge(from: from, to: to)
        let index = indices[edge] ?? edges.count
        if index == edges.count {
            indices[edge] = index
            edges.append((edge, []))
        }
        if !edges[index].labels.contains(label) { edges[index].labels.append(label) }
    }

    /// The map in Mermaid's notation, for a README.
    package var mermaid: String {
        var lines = ["flowchart TD"] + (nodes.isEmpty ? [] : ["    start(( )) --> s0"])
        for (index, node) in nodes.enumerated() {
            let (open, close) = node == Self.outside ? ("{{", "}}") : ("[", "]")
            lines.append("    s\(index)\(open)\"\(Self.quoted(node))\"\(close)")
        }
        for (edge, labels) in edges {
            let arrow = edge.from == Self.outside ? "-.->" : "-->"
            let text = labels.map { Self.quoted($0) }.joined(separator: "<br>")
            lines.append("    \(name(edge.from)) \(arrow)|\"\(text)\"| \(name(edge.to))")
        }
        return lines.joined(separator: "\n")
    }

    /// The map in Graphviz's notation.
    package var dot: String {
        var lines = ["digraph \(Self.literal(app)) {", "    node [shape=box];"]
        if !nodes.isEmpty { lines += ["    start [shape=point];", "    start -> s0;"] }
        for (index, node) in nodes.enumerated() {
            let shape = node == Self.outside ? ", shape=hexagon" : ""
            lines.append("    s\(index) [label=\(Self.literal(node))\(shape)];")
        }
        for (edge, labels) in edges {
            let style = edge.from == Self.outside ? ", style=dashed" : ""
            let text = Self.literal(labels.joined(separator: "\n"))
            lines.append("    \(name(edge.from)) -> \(name(edge.to)) [label=\(text)\(style)];")
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private func name(_ node: String) -> String {
        "s\(nodes.firstIndex(of: node) ?? 0)"
    }

    /// Returns a text for Mermaid's quotes, with special characters replaced by their numbers.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain = scalar.properties.isAlphabetic || " 0123456789.,:;()_-'!?/".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }

    private static func literal(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\"", "\\": "\\\(character)"
            case "\n": "\\n"
            default: String(character).escapingControls()
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension OfferedInput {
    /// The label on a map, which is the same for all ways back, and for all failures of an effect.
    fileprivate var mapLabel: String {
        switch kind {
        case .back, .popped: "back"
        case .dismissed: "dismiss"
        case .failure: String(label.prefix { $0 != "(" }).trimmingEnd
        case .event, .select, .link, .message, .success, .timer: label
        }
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}

extension Exploration {
    /// The indices of passages whose ways together cover every edge, an input that leads from a screen to a screen.
    ///
    /// If the input of a passage is on the way to another of these passages, the passage is left out.
    package var coveringPassages: [Int] {
        var edges: Set<[String]> = []
        let covering = passages.indices.filter { index in
            let passage = passages[index]
            guard passage.report?.outcome == .accepted, let target = passage.target else { return false }
            return edges.insert([name(of: passage.source), passage.offer.label, name(of: target)]).inserted
        }
        let covered = Set(covering.flatMap { way(to: passages[$0].source) })
        return covering.filter { !covered.contains($0) }
    }

    /// Returns the indices of the passages that lead to a passage, and of the passage itself.
    package func way(through passage: Int) -> [Int] {
        way(to: passages[passage].source) + [passage]
    }

    /// Returns the way to a finding; nil if the finding belongs to no state and no input.
    package func way(to finding: ExplorationFinding) -> [Int]? {
        finding.passage.map { way(through: $0) } ?? finding.state.map { way(to: $0) }
    }
}
