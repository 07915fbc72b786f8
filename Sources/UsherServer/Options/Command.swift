/// What a command line asks for.
package enum Command: Sendable {
    case serve(ServeOptions)
    case apps
    /// To look at a journal.
    case inspect(any InspectingCommand)
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
        case "--version": self = .version
        default: throw UsageError("unknown command \"\(word)\"; there are \(Self.words)")
        }
        if ["apps", "--version"].contains(word), let extra = rest.first {
            throw UsageError("\(word) takes no \"\(extra)\"")
        }
    }

    private static let words = "serve, apps, check, replay and export"
}
