import Usher
import UsherBytes
import UsherExploration
import UsherHTTP
import UsherJSON
import UsherProcess
import UsherSessions

/// A path through an explored app, which can be printed in words, as a curl script, as a test, or as a session.
struct ExplorationWay {
    private let exploration: Exploration
    /// The inputs of the path and their results.
    private let passages: [Exploration.Passage]

    /// Creates a path from the indices of its passages.
    init(_ exploration: Exploration, _ way: [Int]) {
        self.exploration = exploration
        passages = way.map { exploration.passages[$0] }
    }

    /// The inputs, without ids.
    var labels: [String] { passages.map(\.offer.label) }

    /// The path in words, for example `login, back`.
    var words: String { passages.isEmpty ? "the opening" : labels.joined(separator: ", ") }

    /// The curl script, without the last line feed.
    var script: String { CurlScript(exported, named: "a way (\(words))").text }

    /// Returns the test, without the last line feed; throws `CommandFailure` if the app's type cannot be named in
    /// another file.
    func test() throws -> String {
        try TestSource([(words, exported)], through: exploration.app).text
    }

    /// The inputs; an input without effect leaves the screens unchanged.
    var exported: ExportedSession {
        let (opening, first) = (exploration.opening, exploration.states.first)
        return ExportedSession(
            of: exploration.app, options: Array(opening.options.utf8), seed: opening.seed,
            time: Timestamp(milliseconds: opening.time),
            expectation: ExportedSession.Expectation(
                stacks: first?.reached.stacks ?? "", warnings: exploration.opened.report?.warnings ?? []),
            steps: passages.map { ExportedSession.Step($0) })
    }

    /// Returns the session after the inputs that had an effect; nil if the app did not open.
    ///
    /// - Throws: `JSONError` if an input is malformed, which does not happen with a probe's inputs.
    func archive() throws(JSONError) -> SessionArchive? {
        guard let opened = exploration.states.first?.reached.mark else { return nil }
        var inputs: [(input: Input, mark: StateMark)] = []
        for case (let step, let state)? in passages.map(\.counted) { inputs.append((try step.handled(), state.mark)) }
        let opening = exploration.opening
        return SessionArchive(
            opening: exploration.app, options: Array(opening.options.utf8), seed: opening.seed,
            at: Timestamp(milliseconds: opening.time), leadingTo: opened, inputs: inputs, by: BuildIdentity.text)
    }

    /// The last input as a client would send it; nil if the input had an effect or clients cannot send it.
    var next: String? {
        guard let last = passages.last, last.counted == nil else { return nil }
        switch last.offer.kind {
        case .event, .back, .popped, .dismissed, .select, .link: return last.offer.step.input
        case .message, .success, .failure, .timer: return nil
        }
    }

    /// Returns the URL that opens the session on the debug page of a server of this build; nil if the app did not open.
    ///
    /// - Parameter server: The server's URL without a trailing slash.
    /// - Throws: `JSONError` if an input is malformed, which does not happen with a probe's inputs.
    func link(on server: String) throws(JSONError) -> String? {
        guard let archive = try archive() else { return nil }
        let export = String(decoding: archive.json, as: UTF8.self).percentEncoded
        return "\(server)/#/import?export=\(export)" + (next.map { "&next=\($0.percentEncoded)" } ?? "")
    }
}

extension Exploration.Passage {
    /// The input and the state after the input; nil if the input had no effect.
    fileprivate var counted: (step: InputProbe.Step, state: ReachedState)? {
        guard let step = report?.step, let state = report?.state else { return nil }
        return (step, state)
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
