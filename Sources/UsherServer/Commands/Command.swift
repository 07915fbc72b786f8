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
    /// To make trials for the process that has started this one.
    case trials(TryCommand)
    /// To walk all paths through an app.
    case explore(ExploreCommand)
    /// To write an app, or to check one.
    case author(AuthoringCommand)
    case help
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
        guard let word = arguments.first else { throw UsageError("name a command: \(Self.words)") }
        let rest = arguments.dropFirst()
        guard !arguments.contains("--help"), !arguments.contains("-h") else {
            self = .help
            return
        }
        switch word {
        case "serve": self = .serve(try ServeOptions(rest, engines: engines, environment: environment))
        case "apps": self = .apps
        case "openapi": self = .contract
        case "types": self = .types(try TypesCommand(rest))
        case "check": self = .inspect(try CheckCommand(rest, engines: engines, environment: environment))
        case "replay": self = .inspect(try ReplayCommand(rest, engines: engines, environment: environment))
        case "export": self = .inspect(try ExportCommand(rest, engines: engines, environment: environment))
        case "migrate": self = .migrate(try MigrateCommand(rest, engines: engines, environment: environment))
        case "try": self = .trials(try TryCommand(rest))
        case "explore": self = .explore(try ExploreCommand(rest))
        case "new": self = .author(try AuthoringCommand(new: rest))
        case "uikit": self = .author(try AuthoringCommand(uikit: rest))
        case "--version": self = .version
        default: throw UsageError("unknown command \"\(word)\"; there are \(Self.words)")
        }
        if ["apps", "openapi", "--version"].contains(word), let extra = rest.first {
            throw UsageError("\(word) takes no \"\(extra)\"")
        }
    }

    private static let words = "serve, apps, openapi, types, explore, check, replay, export, migrate, new and uikit"
}

/// The text that `--help` prints.
enum Usage {
    static let text = """
        Usher runs an app's navigation on the server: an event in, the new screen stack out.

        usage: usher serve [options]
               usher apps                                    the apps in this executable, with their options
               usher openapi                                 the HTTP contract with these apps' types, as OpenAPI 3.1
               usher types APP --as swift|typescript         an app's screens and events, for clients
               usher explore APP [--as mermaid|dot|json] [--tests] [--options JSON] [--ways FOLDER]
                                                             every path through an app: its map, and what is wrong
               usher check [--journal …]                     the sessions that this build cannot restore
               usher replay SESSION [--journal …] [--to N]   a session's state, now or at revision N
               usher export SESSION [--journal …] [--as curl|swift]
                                                             a session as a script, or as a test
               usher-postgres migrate --journal URI [--finish]        the tables of a journal in a database
               usher new NAME [--uikit] [--usher PATH|URL --version V]
                                                             a package with an app, its server and its test
               usher uikit check PATH                        what is the process's in an app's files, not the session's
               usher uikit stub CLASS [PATH]                 a template of a view controller's screen
               usher --version
               usher --help

        check, replay and export read a journal in a file that no server has open, or a copy that POST /admin/backup made; or one
        in a database (postgres://…, in usher-postgres) as it is at one moment, while servers run.

        options of serve, each also as an environment variable (--max-sessions is USHER_MAX_SESSIONS):
        \(options)
        """

    private static var options: String {
        let lines = ServeOptions.all.all.map { option in
            (form: option.form, summary: option.summary)
        }
        let width = lines.map(\.form.count).max() ?? 0
        return lines.map { line in
            let gap = String(repeating: " ", count: width - line.form.count)
            return "  \(line.form)\(gap)  \(line.summary)"
        }.joined(separator: "\n")
    }
}
