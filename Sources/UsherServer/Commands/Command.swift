/// A command of the executable, with its options.
package enum Command: Sendable {
    case serve(ServeOptions)
    case apps
    /// Prints the contract as an OpenAPI document.
    case contract
    /// Prints an app's types for clients.
    case types(TypesCommand)
    case inspect(any InspectingCommand)
    /// Creates or upgrades the tables of a journal in a database.
    case migrate(MigrateCommand)
    /// Runs sessions for a parent process, in a process of their own.
    case isolate(IsolateCommand)
    case explore(ExploreCommand)
    case author(AuthoringCommand)
    case help(HelpCommand)
    case version

    /// Parses a command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the program's name.
    ///   - engines: The databases that this executable is built with.
    ///   - environment: Returns the value of an environment variable; options on the command line take precedence.
    /// - Throws: `UsageError`.
    package init(
        _ arguments: [String], engines: [JournalEngine] = [], environment: @escaping (String) -> String?
    ) throws(UsageError) {
        if let help = try HelpCommand(askedForBy: arguments) {
            self = .help(help)
            return
        }
        let name = arguments.first ?? ""
        let words = CommandWords(arguments: arguments.dropFirst(), engines: engines, environment: environment)
        self =
            switch name {
            case "--version": try CommandEntry.alone(.version, name, words)
            // This command is not in `sections`, because only a parent process starts it.
            case "isolate": .isolate(try IsolateCommand(words))
            default: try Self.entry(named: name).read(words)
            }
    }
}

/// A command for users: its help and the parser of its arguments.
struct CommandEntry: Sendable {
    let help: CommandHelp
    let read: @Sendable (CommandWords) throws(UsageError) -> Command

    init<Value>(
        _ help: CommandHelp, _ make: @escaping @Sendable (Value) -> Command,
        _ read: @escaping @Sendable (CommandWords) throws(UsageError) -> Value
    ) {
        self.help = help
        self.read = { words throws(UsageError) in make(try read(words)) }
    }

    init(_ help: CommandHelp, _ command: Command) {
        self.help = help
        read = { words throws(UsageError) in try Self.alone(command, help.name, words) }
    }

    /// Returns a command that has no arguments.
    static func alone(_ command: Command, _ name: String, _ words: CommandWords) throws(UsageError) -> Command {
        if let extra = words.arguments.first { throw UsageError("\"\(name)\" does not take \"\(extra)\"") }
        return command
    }
}

extension Command {
    /// All commands for users, by section and in the order of the overview.
    static let sections: [(title: String, entries: [CommandEntry])] = [
        (
            "Serve",
            [
                CommandEntry(ServeOptions.help, Command.serve, ServeOptions.init),
                CommandEntry(MigrateCommand.help, Command.migrate, MigrateCommand.init),
            ]
        ),
        (
            "Look at sessions",
            [
                CommandEntry(CheckCommand.help, Command.inspect, CheckCommand.init),
                CommandEntry(StatesCommand.help, Command.inspect, StatesCommand.init),
                CommandEntry(ReplayCommand.help, Command.inspect, ReplayCommand.init),
                CommandEntry(ExportCommand.help, Command.inspect, ExportCommand.init),
            ]
        ),
        (
            "Write apps and clients",
            [
                CommandEntry(AuthoringCommand.newHelp, Command.author, AuthoringCommand.init(new:)),
                CommandEntry(ExploreCommand.help, Command.explore, ExploreCommand.init),
                CommandEntry(AuthoringCommand.uikitHelp, Command.author, AuthoringCommand.init(uikit:)),
                CommandEntry(appsHelp, .apps),
                CommandEntry(TypesCommand.help, Command.types, TypesCommand.init),
                CommandEntry(contractHelp, .contract),
            ]
        ),
        ("Help", [CommandEntry(HelpCommand.help, Command.help, HelpCommand.init)]),
    ]

    /// Returns the entry of a command; throws `UsageError` for an unknown command.
    static func entry(named name: String) throws(UsageError) -> CommandEntry {
        let entries = sections.flatMap { $0.entries }
        guard let entry = entries.first(where: { $0.help.name == name }) else {
            let names = entries.map(\.help.name)
            let list = "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
            throw UsageError("unknown command \"\(name)\"; the commands are \(list)")
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
