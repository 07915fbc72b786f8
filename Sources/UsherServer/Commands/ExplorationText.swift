import Usher
import UsherExploration
import UsherJSON
import UsherSessions

/// An exploration as text: what was found, each with its way as a script and as a test, and the tests of all edges.
struct ExplorationText {
    private let exploration: Exploration
    private let findings: [ExplorationFinding]

    init(_ exploration: Exploration, _ findings: [ExplorationFinding]) {
        self.exploration = exploration
        self.findings = findings
    }

    /// The lines for people: how much was covered, and each finding with the way to it in words.
    var lines: [String] {
        var lines = [summary]
        for finding in findings {
            lines.append("\(finding.kind.isWrong ? "wrong" : "note"): \(finding.kind.rawValue): \(finding.text)")
            if let way = exploration.way(to: finding) { lines.append("    way: \(words(of: way))") }
        }
        let wrong = findings.count { $0.kind.isWrong }
        return lines + [wrong == 0 ? "nothing is wrong" : "wrong: \(wrong)"]
    }

    private var summary: String {
        let (offered, tried) = exploration.coverage
        let screens = Set(exploration.listedScreens)
        let shown = screens.intersection(exploration.shownTypes).count
        let end = exploration.isComplete ? "complete" : "not complete"
        return "\(exploration.app.name): \(end): \(exploration.states.count) states, "
            + "\(tried) of \(offered) inputs tried, \(shown) of \(screens.count) screens"
    }

    /// A way in words, such as `login, back`.
    private func words(of way: [Int]) -> String {
        way.isEmpty ? "the opening" : way.map { exploration.passages[$0].offer.label }.joined(separator: ", ")
    }

    /// A test for each way of those that together lead over every edge.
    ///
    /// - Throws: `CommandFailure` for an app that no other file can name.
    func tests() throws -> String {
        let ways = exploration.coveringPassages.map { exploration.way(through: $0) }
        guard !ways.isEmpty else { throw CommandFailure("no input leads anywhere, so there is nothing to test") }
        let exported = ways.map { (words(of: $0), ExportedSession(exploration, $0)) }
        return try TestSource(exported, through: exploration.app).text
    }

    /// The scripts and the tests of all findings with a way, by the names of their files.
    ///
    /// - Throws: `CommandFailure` for an app that no other file can name.
    func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for (index, finding) in findings.enumerated() {
            guard let way = exploration.way(to: finding) else { continue }
            let name = "\(index + 1)-\(finding.kind.rawValue)"
            files["\(name).sh"] = script(of: way) + "\n"
            files["\(name).swift"] = try test(of: way) + "\n"
        }
        return files
    }

    private func script(of way: [Int]) -> String {
        CurlScript(ExportedSession(exploration, way), named: "a way (\(words(of: way)))").text
    }

    private func test(of way: [Int]) throws -> String {
        try TestSource([(words(of: way), ExportedSession(exploration, way))], through: exploration.app).text
    }
}

extension ExplorationText {
    /// All states, all inputs that were tried, and all findings, as one object.
    ///
    /// - Parameter includesScripts: Set to have each finding's way as a script and as a test, too.
    /// - Throws: `JSONError` where a text does not encode.
    func json(includingScripts includesScripts: Bool = true) throws -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("app", exploration.app.name)
        writer.member("options", exploration.opening.options)
        writer.key("complete")
        writer.boolean(exploration.isComplete)
        if let bound = exploration.bound { writer.member("bound", bound.rawValue) }
        let (offered, tried) = exploration.coverage
        writer.member("offered", offered)
        writer.member("tried", tried)
        writeStates(into: &writer)
        writePassages(into: &writer)
        try writeFindings(into: &writer, includesScripts)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func writeStates(into writer: inout JSONWriter) {
        writer.key("states")
        writer.beginArray()
        for (index, state) in exploration.states.enumerated() {
            writer.beginObject()
            writer.member("screen", exploration.name(of: index))
            writer.member(digest: state.reached.shape)
            writer.member("stacks", state.reached.stacks)
            writer.member("depth", state.depth)
            writer.member("untried", state.untried)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writePassages(into writer: inout JSONWriter) {
        writer.key("inputs")
        writer.beginArray()
        for passage in exploration.passages {
            writer.beginObject()
            writer.member("from", passage.source)
            if let target = passage.target { writer.member("to", target) }
            writer.member("kind", passage.offer.kind.rawValue)
            writer.member("label", passage.offer.label)
            writer.key("input")
            writer.raw(Array(passage.offer.step.input.utf8))
            writer.member("outcome", passage.report?.outcome.rawValue ?? "crashed")
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeFindings(into writer: inout JSONWriter, _ includesScripts: Bool) throws {
        writer.key("findings")
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            writer.member("kind", finding.kind.rawValue)
            writer.member("text", finding.text)
            writer.key("wrong")
            writer.boolean(finding.kind.isWrong)
            if let way = exploration.way(to: finding) {
                writer.key("way")
                writer.beginArray()
                for passage in way { writer.string(exploration.passages[passage].offer.label) }
                writer.endArray()
                if includesScripts {
                    writer.member("curl", script(of: way))
                    writer.member("swift", try test(of: way))
                }
            }
            writer.endObject()
        }
        writer.endArray()
    }
}

extension ExportedSession {
    /// The inputs of a way; one that led nowhere leaves the screens as they are.
    ///
    /// - Parameters:
    ///   - exploration: The exploration that has found it.
    ///   - way: The indices of its passages.
    fileprivate init(_ exploration: Exploration, _ way: [Int]) {
        let (opening, first) = (exploration.opening, exploration.states.first)
        self.init(
            of: exploration.app, options: Array(opening.options.utf8), seed: opening.seed,
            time: Timestamp(milliseconds: opening.time),
            expectation: Expectation(
                stacks: first?.reached.stacks ?? "", warnings: exploration.opened.report?.warnings ?? []),
            steps: way.map { Step(exploration.passages[$0]) })
    }
}

extension ExportedSession.Step {
    fileprivate init(_ passage: Exploration.Passage) {
        let (report, kind) = (passage.report, passage.offer.kind)
        let step = report?.step ?? passage.offer.step
        let source: Kind =
            switch kind {
            case .event, .back, .popped, .dismissed, .select, .link: .action
            case .message: .message
            case .success, .failure: report?.outcome == .accepted ? .result : .refused
            case .timer: report?.outcome == .accepted ? .timer : .refused
            }
        self.init(
            kind: source, body: Array(step.input.utf8), time: Timestamp(milliseconds: step.time),
            hasDueTimer: report?.hasDueTimer ?? false,
            expectation: ExportedSession.Expectation(stacks: passage.stacks, warnings: report?.warnings ?? []))
    }
}
