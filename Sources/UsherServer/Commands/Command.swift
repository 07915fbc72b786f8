/// A command of the executable, with its options.
package enum Command: Sendable {
    case serve(ServeOptions)
    case apps
    /// To look at a journal.
    case inspect(any InspectingCommand)
    /// To make trials for the process that has started this one.
    case trials(TryCommand)
    case help
    case version

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's own name.
    ///   - environment: Looks a variable up; options on the command line win.
    /// - Throws: `UsageError`.
    package init(_ arguments: [String], environment: (String) -> String?) throws(UsageError) {
        guard let word = arguments.first else { throw UsageError("name a command: \(Self.words)") }
        let rest = arguments.dropFirst()
        guard !arguments.contains("--help"), !arguments.contains("-h") else {
            self = .help
            return
        }
        switch word {
        case "serve": self = .serve(try ServeOptions(rest, environment: environment))
        case "apps": self = .apps
        case "check": self = .inspect(try CheckCommand(rest, environment: environment))
        case "replay": self = .inspect(try ReplayCommand(rest, environment: environment))
        case "export": self = .inspect(try ExportCommand(rest, environment: environment))
        case "try": self = .trials(try TryCommand(rest))
        case "--version": self = .version
        default: throw UsageError("unknown command \"\(word)\"; there are \(Self.words)")
        }
        if ["apps", "--version"].contains(word), let extra = rest.first {
            throw UsageError("\(word) takes no \"\(extra)\"")
        }
    }

    private static let words = "serve, apps, check, replay and export"
}

/// The text that `--help` prints.
enum Usage {
    static let text = """
        Usher runs an app's navigation on the server: an event in, the new screen stack out.

        usage: usher serve [options]
               usher apps                                    the apps in this executable, with their options
               usher check [--journal …]                     the sessions that this build cannot restore
               usher replay SESSION [--journal …] [--to N]   a session's state, now or at revision N
               usher export SESSION [--journal …] [--as curl|swift]
                                                             a session as a script, or as a test
               usher --version
               usher --help

        check, replay and export read a journal that no server has open, or a copy that POST /admin/backup made.

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
