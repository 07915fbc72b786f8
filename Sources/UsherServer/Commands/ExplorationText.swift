import Usher
import UsherAuthoring
import UsherBytes
import UsherExploration
import UsherJSON
import UsherSessions

/// The text of an exploration: each finding with its path as a script and as a test, and tests that cover all edges.
struct ExplorationText {
    private let exploration: Exploration
    private let findings: [ExplorationFinding]
    private let types: DeclaredTypes?

    /// Creates the text; findings have the source locations of the app's types, if these are known.
    init(_ exploration: Exploration, _ findings: [ExplorationFinding], in types: DeclaredTypes? = nil) {
        self.exploration = exploration
        self.findings = findings
        self.types = types
    }

    /// The text for people: the coverage, and each finding with the path to it in words.
    var lines: [String] {
        var lines = [summary]
        for finding in findings {
            let also =
                switch finding.otherPlaces {
                case 0: ""
                case 1: " (and at 1 other place)"
                case let count: " (and at \(count) other places)"
                }
            lines.append("\(finding.kind.isWrong ? "wrong" : "note"): \(finding.kind.rawValue): \(finding.text)\(also)")
            for place in places(of: finding) { lines.append("    in \(place)") }
            if let way = way(to: finding) { lines.append("    way: \(way.words)") }
        }
        let wrong = findings.count { $0.kind.isWrong }
        return lines.map { $0.escapingControls() } + [wrong == 0 ? "nothing is wrong" : "wrong: \(wrong)"]
    }

    private var summary: String {
        let (offered, tried) = exploration.coverage
        let screens = Set(exploration.listedScreens)
        let shown = screens.intersection(exploration.shownTypes).count
        let end = exploration.isComplete ? "complete" : "not complete"
        return "\(exploration.app.name) (\(end)): \(exploration.states.count) states, "
            + "\(tried) of \(offered) inputs tried, \(shown) of \(screens.count) screens"
    }

    private func places(of finding: ExplorationFinding) -> [String] { types?.places(namedIn: finding.text) ?? [] }

    private func way(to finding: ExplorationFinding) -> ExplorationWay? {
        exploration.way(to: finding).map { ExplorationWay(exploration, $0) }
    }

    /// Returns tests that together cover every edge, one test per path; throws `CommandFailure` if the app's type
    /// cannot be named in another file.
    func tests() throws -> String {
        let ways = exploration.coveringPassages.map { ExplorationWay(exploration, exploration.way(through: $0)) }
        guard !ways.isEmpty else { throw CommandFailure("no input has an effect, so there is nothing to test") }
        return try TestSource(ways.map { ($0.words, $0.exported) }, through: exploration.app).text
    }

    /// Returns files by name: for each finding that has a path, a script, a test, and a link to a server's debug page.
    ///
    /// - Parameter server: The server's URL without a trailing slash.
    /// - Throws: `CommandFailure` if the app's type cannot be named in another file.
    func files(linkingTo server: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for (index, finding) in findings.enumerated() {
            guard let way = way(to: finding) else { continue }
            let name = "\(index + 1)-\(finding.kind.rawValue)"
            files["\(name).sh"] = way.script + "\n"
            files["\(name).swift"] = try way.test() + "\n"
            files["\(name).link"] = try way.link(on: server).map { $0 + "\n" }
        }
        return files
    }
}

extension ExplorationText {
    /// Returns all states, tried inputs and findings as a JSON object; throws `JSONError` if a text does not encode.
    func json(includingScripts includesScripts: Bool = true) throws -> String {
        let (offered, tried) = exploration.coverage
        return try JSONWriter.text { writer in
            try writer.object { writer in
                writer.member("app", exploration.app.name)
                writer.member("options", exploration.opening.options)
                writer.member("complete", exploration.isComplete)
                if let bound = exploration.bound { writer.member("bound", bound.rawValue) }
                writer.member("offered", offered)
                writer.member("tried", tried)
                writer.objects("states", of: exploration.states.enumerated()) { writer, state in
                    write(state.element, at: state.offset, into: &writer)
                }
                writer.objects("inputs", of: exploration.passages) { write($1, into: &$0) }
                try writer.objects("findings", of: findings) { try write($1, into: &$0, includesScripts) }
            }
        }
    }

    private func write(_ state: Exploration.State, at index: Int, into writer: inout JSONWriter) {
        writer.member("screen", exploration.name(of: index))
        writer.member(digest: state.reached.shape)
        writer.member("stacks", state.reached.stacks)
        writer.member("depth", state.depth)
        writer.member("untried", state.untried)
    }

    private func write(_ passage: Exploration.Passage, into writer: inout JSONWriter) {
        writer.member("from", passage.source)
        if let target = passage.target { writer.member("to", target) }
        writer.member("kind", passage.offer.kind.rawValue)
        writer.member("label", passage.offer.label)
        writer.member("input", raw: Array(passage.offer.step.input.utf8))
        writer.member("outcome", passage.report?.outcome.rawValue ?? "crashed")
    }

    private func write(
        _ finding: ExplorationFinding, into writer: inout JSONWriter, _ includesScripts: Bool
    ) throws {
        writer.member("kind", finding.kind.rawValue)
        writer.member("text", finding.text)
        writer.member("wrong", finding.kind.isWrong)
        if finding.otherPlaces > 0 { writer.member("otherPlaces", finding.otherPlaces) }
        let files = places(of: finding)
        if !files.isEmpty { writer.member("files", files) }
        guard let way = way(to: finding) else { return }
        writer.member("way", way.labels)
        if let archive = try way.archive() { writer.member("export", raw: archive.json) }
        if let next = way.next { writer.member("next", raw: Array(next.utf8)) }
        guard includesScripts else { return }
        writer.member("curl", way.script)
        writer.member("swift", try way.test())
    }
}
