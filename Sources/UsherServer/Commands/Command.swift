/// A command of the executable, with its options.
package enum Command: Sendable {
    case serve(ServeOptions)
    case apps
    /// To print the contract as an OpenAPI document.
    case contract
    /// To print an app's types for clients.
    case types(TypesCommand)
    /// To look at a journal.
    case inspect(any InspectingCommand)
    /// To make or upgrade the tables of a journal in a database.
    case migrate(MigrateCommand)
    /// To make isolated runs for the process that has started this one.
    case isolate(IsolateCommand)
    /// To walk all paths through an app.
    case explore(ExploreCommand)
    /// To write an app, or to check one.
    case author(AuthoringCommand)
    case help(HelpCommand)
    case version

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's own name.
    ///   - engines: The databases that this executable is built with.
    ///   - environment: Looks a variable up; options on the command line win.
    /// - Throws: `UsageError`.
    package init(
        _ arguments: [String], engines: [JournalEngine] = [], environment: (String) -> String?
    ) throws(UsageError) {
        if let help = try HelpCommand(askedForBy: arguments) {
            self = .help(help)
            return
        }
        let word = arguments.first ?? ""
        let rest = arguments.dropFirst()
        switch word {
        case "--version":
            try Self.refuse(rest, of: word)
            self = .version
        // A child's, which nobody else starts.
        case "isolate": self = .isolate(try IsolateCommand(rest))
        default: self = try Self.entry(named: word).read(rest, engines, environment)
        }
    }

    private static func refuse(_ operands: ArraySlice<String>, of word: String) throws(UsageError) {
        if let extra = operands.first { throw UsageError("\(word) takes no \"\(extra)\"") }
    }
}

/// A command that people start: its help, and the reader of the words behind its name.
struct CommandEntry: Sendable {
    /// Reads the words behind the command's name.
    typealias Reader =
        @Sendable (
            _ arguments: ArraySlice<String>, _ engines: [JournalEngine], _ environment: (String) -> String?
        ) throws(UsageError) -> Command

    let help: CommandHelp
    let read: Reader

    init(_ help: CommandHelp, _ read: @escaping Reader) {
        self.help = help
        self.read = read
    }
}

/// Commands under a title of the overview.
struct CommandSection: Sendable {
    let title: String
    let entries: [CommandEntry]

    init(_ title: String, _ entries: [CommandEntry]) {
        self.title = title
        self.entries = entries
    }
}

/// The commands that people start.
extension Command {
    /// All commands, in the order of the overview.
    static let sections = [
        CommandSection(
            "Serve",
            [
                CommandEntry(ServeOptions.help) { arguments, engines, environment throws(UsageError) in
                    .serve(try ServeOptions(arguments, engines: engines, environment: environment))
                },
                CommandEntry(MigrateCommand.help) { arguments, engines, environment throws(UsageError) in
                    .migrate(try MigrateCommand(arguments, engines: engines, environment: environment))
                },
            ]),
        CommandSection(
            "Look at sessions",
            [
                CommandEntry(CheckCommand.help) { arguments, engines, environment throws(UsageError) in
                    .inspect(try CheckCommand(arguments, engines: engines, environment: environment))
                },
                CommandEntry(ReplayCommand.help) { arguments, engines, environment throws(UsageError) in
                    .inspect(try ReplayCommand(arguments, engines: engines, environment: environment))
                },
                CommandEntry(ExportCommand.help) { arguments, engines, environment throws(UsageError) in
                    .inspect(try ExportCommand(arguments, engines: engines, environment: environment))
                },
            ]),
        CommandSection(
            "Write apps and clients",
            [
                CommandEntry(AuthoringCommand.newHelp) { arguments, _, _ throws(UsageError) in
                    .author(try AuthoringCommand(new: arguments))
                },
                CommandEntry(ExploreCommand.help) { arguments, _, _ throws(UsageError) in
                    .explore(try ExploreCommand(arguments))
                },
                CommandEntry(AuthoringCommand.uikitHelp) { arguments, _, _ throws(UsageError) in
                    .author(try AuthoringCommand(uikit: arguments))
                },
                CommandEntry(appsHelp) { arguments, _, _ throws(UsageError) in
                    try refuse(arguments, of: appsHelp.name)
                    return .apps
                },
                CommandEntry(TypesCommand.help) { arguments, _, _ throws(UsageError) in
                    .types(try TypesCommand(arguments))
                },
                CommandEntry(contractHelp) { arguments, _, _ throws(UsageError) in
                    try refuse(arguments, of: contractHelp.name)
                    return .contract
                },
            ]),
        CommandSection(
            "Help",
            [
                CommandEntry(HelpCommand.help) { arguments, _, _ throws(UsageError) in .help(try HelpCommand(arguments))
                }
            ]),
    ]

    /// Finds a command.
    ///
    /// - Throws: `UsageError` for an unknown one.
    static func entry(named name: String) throws(UsageError) -> CommandEntry {
        let entries = sections.flatMap(\.entries)
        guard let entry = entries.first(where: { $0.help.name == name }) else {
            let names = entries.map(\.help.name)
            let list = "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
            throw UsageError("unknown command \"\(name)\"; there are \(list)")
        }
        return entry
    }

    static let appsHelp = CommandHelp(
        "apps", "list this program's apps and their screens",
        description: ["Prints a line with the options of each app, and below it a line for each flow and each screen."])

    private static let contractHelp = CommandHelp(
        "openapi", "print the HTTP API of this program's apps as OpenAPI 3.1",
        description: [
            """
            The document has JSON Schemas of each app's options, flows, screens, events and messages. A server answers \
            with the same document at GET /openapi.json.
            """
        ])
}
