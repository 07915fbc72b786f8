/// The help of a command, which is printed as a page on a terminal and as a section of the manual.
struct CommandHelp: Sendable {
    struct OptionList: Sendable {
        /// The title, without a colon.
        let title: String
        let options: [OptionLine]
    }

    struct OptionLine: Sendable {
        /// The name, with its hyphens.
        let name: String
        /// The placeholder of the value; empty for a switch.
        let placeholder: String
        /// The option's purpose and default.
        let summary: String

        /// The option as users write it, for example `--port N`.
        var form: String { placeholder.isEmpty ? name : "\(name) \(placeholder)" }
    }

    let name: String
    /// The command's purpose, as an imperative without a period, for its line in the overview.
    let summary: String
    /// The operands and options after the command's name; several if the command has several forms.
    let synopses: [String]
    let description: [String]
    let options: [OptionList]

    init(_ name: String, _ summary: String, synopses: [String] = [""], description: [String]) {
        (self.name, self.summary, self.synopses, self.description) = (name, summary, synopses, description)
        options = []
    }

    /// Creates the help of a command with options; adds a paragraph about the environment to the description.
    init<Options>(
        _ name: String, _ summary: String, synopses: [String], description: [String], options: CommandOptions<Options>
    ) {
        (self.name, self.summary, self.synopses) = (name, summary, synopses)
        self.description = description + (Self.environment(of: options).map { [$0] } ?? [])
        self.options = options.groups.map { group in
            OptionList(title: group.title, options: group.options.map(\.line))
        }
    }

    var sentence: String { "\(summary.prefix(1).uppercased())\(summary.dropFirst())." }

    /// Returns the command's forms, for example `usher uikit check PATH`.
    func forms(of program: String) -> [String] {
        synopses.map { $0.isEmpty ? "\(program) \(name)" : "\(program) \(name) \($0)" }
    }

    /// Returns the paragraph about environment variables that set options; nil if there are none.
    private static func environment<Options>(of options: CommandOptions<Options>) -> String? {
        let set = options.withVariables
        guard let first = set.first else { return nil }
        guard set.count == options.all.count else {
            return set.map { "\($0.variable) in the environment sets --\($0.name)." }.joined(separator: " ")
        }
        let example = set.first { $0.name.contains("-") } ?? first
        return """
            Each option can also be set in the environment: \(example.variable) sets --\(example.name). The command line \
            takes precedence.
            """
    }
}
