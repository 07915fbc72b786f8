/// `usher help`, `--help` and `usher` alone: prints the first steps, the overview, a command's page, or the manual.
package struct HelpCommand: Sendable {
    private enum Topic: Sendable {
        /// The short text that `usher` alone prints.
        case firstSteps
        case overview
        case command(CommandHelp)
        /// The manual page, as source text for man(1).
        case manual
    }

    private struct Options: Sendable {
        var asksForManual = false
    }

    private let topic: Topic

    static let help = CommandHelp(
        "help", "print all commands, one command's page, or the manual", synopses: ["[COMMAND]", "--man"],
        description: ["\"help COMMAND\" prints the same as \"COMMAND --help\"."], options: options)

    private static let options = CommandOptions<Options>([
        CommandOption("man", "print the manual page, as source text for man(1)", sets: \.asksForManual, to: true)
    ])

    init(_ words: CommandWords) throws(UsageError) {
        var options = Options()
        let names = try Self.options.read(words, into: &options).operands
        guard names.count <= (options.asksForManual ? 0 : 1) else {
            throw UsageError("help takes one command, such as \"help serve\", or --man")
        }
        if let name = names.first {
            topic = .command(try Command.entry(named: name).help)
        } else {
            topic = options.asksForManual ? .manual : .overview
        }
    }

    /// Finds a request for help in any command line: `--help` or `-h` anywhere, or no argument; nil if there is none.
    ///
    /// - Throws: `UsageError` if the command line requests help for an unknown command.
    init?(askedForBy arguments: [String]) throws(UsageError) {
        guard let word = arguments.first else {
            topic = .firstSteps
            return
        }
        guard arguments.contains("--help") || arguments.contains("-h") else { return nil }
        topic = word.hasPrefix("-") ? .overview : .command(try Command.entry(named: word).help)
    }

    /// Returns the text, without the last line feed.
    package func text(for program: String, version: String) -> String {
        var text = TerminalText()
        switch topic {
        case .firstSteps: text.addFirstSteps(program)
        case .overview: text.addOverview(program)
        case .command(let help): text.addPage(help, program)
        case .manual: return ManualPage(for: program, version: version).text
        }
        return text.lines.joined(separator: "\n")
    }
}

/// The sentences that appear both in the help on a terminal and in the manual.
enum HelpSentence {
    static let purpose = """
        Usher runs an app's navigation on the server: an event goes in, the new screen stack comes out.
        """
    static let exitStatus = """
        The exit status is 0 for success, 1 for a failure or for a check that has found something, and 2 for a wrong command \
        line.
        """
}

/// Text for a terminal of 80 columns: paragraphs and tables, separated by empty lines.
private struct TerminalText {
    private(set) var lines: [String] = []

    private static let columns = 80
    /// The maximum width of a table's first column; a longer term gets its own line.
    private static let widestTerm = 25

    mutating func addFirstSteps(_ program: String) {
        let commands = [
            ServeOptions.help, Command.appsHelp, ExploreCommand.help, CheckCommand.help, AuthoringCommand.newHelp,
        ]
        add(HelpSentence.purpose)
        add(rows: commands.map { ("\(program) \($0.name)", $0.summary) })
        add("All commands: \(program) --help. One command: \(program) serve --help.")
    }

    mutating func addOverview(_ program: String) {
        add("usage: \(program) COMMAND [OPERAND...] [OPTION...]")
        add(HelpSentence.purpose)
        let width = Command.sections.flatMap { $0.entries }.map(\.help.name.count).max() ?? 0
        for section in Command.sections {
            add(rows: section.entries.map { ($0.help.name, $0.help.summary) }, under: section.title, width: width)
        }
        add(
            "\"\(program) COMMAND --help\" prints a command's page, \"\(program) --version\" the version. "
                + HelpSentence.exitStatus)
    }

    mutating func addPage(_ help: CommandHelp, _ program: String) {
        lines += help.forms(of: program).enumerated().map { ($0 == 0 ? "usage: " : "       ") + $1 }
        for paragraph in [help.sentence] + help.description { add(paragraph) }
        let width = help.options.flatMap(\.options).map(\.form.count).filter { $0 <= Self.widestTerm }.max() ?? 0
        for list in help.options {
            add(rows: list.options.map { ($0.form, $0.summary) }, under: list.title, width: width)
        }
    }

    private mutating func add(_ paragraph: String) {
        if !lines.isEmpty { lines.append("") }
        lines += paragraph.wrapped(to: Self.columns)
    }

    /// Adds a table of two columns; by default, the first column is as wide as its longest term.
    private mutating func add(rows: [(term: String, text: String)], under title: String? = nil, width: Int? = nil) {
        let width = width ?? rows.map(\.term.count).max() ?? 0
        if !lines.isEmpty { lines.append("") }
        if let title { lines.append("\(title):") }
        for (term, text) in rows {
            var wrapped = text.wrapped(to: Self.columns - width - 4)[...]
            let first = term.count <= width ? wrapped.popFirst() ?? "" : ""
            lines.append(Self.line(term, first, width))
            lines += wrapped.map { Self.line("", $0, width) }
        }
    }

    private static func line(_ term: String, _ text: String, _ width: Int) -> String {
        guard !text.isEmpty else { return "  \(term)" }
        return "  \(term)\(String(repeating: " ", count: width - term.count))  \(text)"
    }
}

extension String {
    /// Returns the text's words in lines of at most `width` characters; a longer word gets its own line.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
