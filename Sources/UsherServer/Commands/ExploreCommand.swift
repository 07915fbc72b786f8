package import Usher
import UsherAuthoring
package import UsherExploration
import UsherJSON
import UsherProcess

/// `usher explore`: walks every path through an app, prints its map, and reports what is wrong.
package struct ExploreCommand: Sendable {
    package struct Streams {
        /// Called with each line of the result.
        package let output: (String) -> Void
        /// Called with each diagnostic line.
        package let report: (String) -> Void
        /// Called with a line that replaces the previous progress line; nil if the output is not a terminal.
        package let progress: ((String) -> Void)?

        package init(
            output: @escaping (String) -> Void, report: @escaping (String) -> Void, progress: ((String) -> Void)? = nil
        ) {
            self.output = output
            self.report = report
            self.progress = progress
        }

        /// The standard streams of this process.
        package static var standard: Streams {
            Streams(
                output: { StandardStream.output.write(line: $0) }, report: { StandardStream.error.write(line: $0) },
                progress: StandardStream.error.isTerminal ? { StandardStream.error.overwrite(line: $0) } : nil)
        }
    }

    private struct Options: Sendable {
        /// The form in which the map is printed; nil means Mermaid.
        var form: MapForm?
        var asksForTests = false
        var includesStates = false
        var session = "{}"
        var seed: UInt64 = 1
        var screens = Limits().screens
        var bounds = Explorer.Bounds()
        var folder: String?
        var sources: DeclaredTypes?
        var page = "http://127.0.0.1:8080"
    }

    private let app: String
    private let options: Options

    static let help = CommandHelp(
        "explore", "try all paths through an app, and report mistakes", synopses: ["APP [OPTION...]"],
        description: [
            """
            Tries every input on every state of the app, each in a child process. Prints the map of the app's screens to \
            standard output, and each mistake with the shortest path to it to standard error. The exit status is 1 if \
            there is a mistake, or if a limit ended the exploration.
            """
        ], options: options)

    init(_ words: CommandWords) throws(UsageError) {
        var options = Options()
        let reading = try Self.options.read(words, into: &options)
        guard let app = reading.operands.first, reading.operands.count == 1 else {
            throw UsageError("\"explore\" takes one app, as in \"usher explore APP\"")
        }
        guard options.form == nil || !options.asksForTests else {
            throw UsageError("--as and --tests exclude each other, because \"explore\" prints either a map or tests")
        }
        self.app = app
        self.options = options
    }

    /// Returns the text if it is a JSON object; otherwise throws an error.
    private static func object(_ text: String) throws(UsageError) -> String {
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument(parsing: Array(text.utf8)) } catch {
            throw UsageError("--options takes a JSON object: \(error)")
        }
        guard document.root.kind == .object else {
            throw UsageError("--options takes a JSON object, such as {\"owner\":\"kim\"}, not \(text)")
        }
        return text
    }

    private static let options = CommandOptions<Options>(
        [
            CommandOption(
                "as", "mermaid|dot|json",
                "the form of the map: a diagram for Mermaid or Graphviz, or JSON with everything found (default: mermaid)",
                sets: \.form, CommandOption<Options>.word(.mermaid, .dot, .json)),
            CommandOption(
                "tests", "print Swift tests that cover every edge of the map, instead of the map",
                sets: \.asksForTests, to: true),
            CommandOption(
                "with-states", "distinguish states also by the values that their screens show", sets: \.includesStates,
                to: true),
            CommandOption("options", "JSON", "the options of the session (default: {})", sets: \.session) {
                text, _ throws(UsageError) in
                try object(text)
            },
            CommandOption("seed", "N", "the seed of the session (default: 1)", sets: \.seed) {
                text, name throws(UsageError) in
                guard let seed = UInt64(text) else {
                    throw UsageError("--\(name) takes a number from 0 to \(UInt64.max), not \"\(text)\"")
                }
                return seed
            },
            CommandOption(
                "screens", "N", "the most screens that a session may show (default: \(Limits().screens))",
                sets: \.screens, CommandOption<Options>.number(in: 1...Limits().screens)),
            CommandOption(
                "states", "N", "the most states to find (default: \(Explorer.Bounds().states))",
                sets: \.bounds.states, CommandOption<Options>.number(in: 1...1_000_000)),
            CommandOption(
                "depth", "N", "the most inputs from the opening to a state (default: \(Explorer.Bounds().depth))",
                sets: \.bounds.depth, CommandOption<Options>.number(in: 0...100_000)),
            CommandOption(
                "time", "TIME", "the longest time for the exploration, such as 30s (default: 10m)", sets: \.bounds.time,
                CommandOption<Options>.duration),
            CommandOption(
                "ways", "FOLDER", "write the path to each mistake into a new folder, as scripts, tests and links",
                sets: \.folder
            ) { text, _ in text },
            CommandOption(
                "sources", "PATH", "the app's source files, to report mistakes with the file and line of their types",
                sets: \.sources
            ) { path, _ throws(UsageError) in
                do { return DeclaredTypes(in: try SourceFiles(path)) } catch { throw UsageError("--sources: \(error)") }
            },
            CommandOption(
                "page", "URL", "the server whose page the links open (default: http://127.0.0.1:8080)", sets: \.page
            ) { text, name throws(UsageError) in
                try PublicURL(text, for: name).origin
            },
        ])

    /// Explores the app.
    ///
    /// - Parameters:
    ///   - apps: The apps of this build.
    ///   - place: The place where inputs are tried; child processes if it is nil.
    ///   - streams: The functions that receive the command's output.
    /// - Returns: The exit status: 1 if the exploration found a failure, otherwise 0.
    /// - Throws: An error whose description is one sentence for the user.
    package func run(
        apps: [any App.Type], in place: (any ProbePlace)? = nil, _ streams: Streams
    ) async throws -> Int32 {
        guard let app = apps.first(where: { $0.name == app }) else {
            let names = apps.map { $0.name }.sorted().joined(separator: ", ")
            throw CommandFailure("there is no app \"\(app)\" in this executable; its apps are \(names)")
        }
        let opening = ExplorationOpening(
            app: app.name, options: options.session, seed: options.seed, screenLimit: options.screens)
        if let folder = options.folder { try SourceFolder.create(folder, [:]) }
        let explorer = Explorer(
            app, from: opening, within: options.bounds, includingStates: options.includesStates,
            in: place ?? ChildProbes(width: ProcessEnvironment.processorCount))
        let exploration = await explorer.explore { streams.progress?(Self.line($0)) }
        streams.progress?("")
        return try tell(exploration, streams)
    }

    private func tell(_ exploration: Exploration, _ streams: Streams) throws -> Int32 {
        let findings = exploration.findings
        let text = ExplorationText(exploration, findings, in: options.sources)
        for line in text.lines { streams.report(line) }
        if options.asksForTests {
            streams.output(try text.tests())
        } else {
            switch options.form ?? .mermaid {
            case .mermaid: streams.output(ScreenMap(exploration).mermaid)
            case .dot: streams.output(ScreenMap(exploration).dot)
            case .json: streams.output(try text.json())
            }
        }
        if let folder = options.folder { try SourceFolder.fill(folder, text.files(linkingTo: options.page)) }
        return findings.contains { $0.kind.isWrong } ? 1 : 0
    }

    /// Returns a progress bar with the numbers of tried and known inputs.
    private static func line(_ progress: ExplorationProgress) -> String {
        let (all, width) = (max(1, progress.tried + progress.waiting), 30)
        let filled = progress.tried * width / all
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return "[\(bar)] \(progress.states) states, \(progress.tried) inputs tried, \(progress.waiting) waiting, "
            + "depth \(progress.depth)"
    }
}

enum MapForm: String, Sendable {
    case mermaid, dot, json
}
