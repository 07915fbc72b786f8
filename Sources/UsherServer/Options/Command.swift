/// What a command line asks for.
package enum Command: Sendable {
    case serve(ServeOptions)
    case apps
    case help
    case version

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: Without the program's own name.
    ///   - environment: Looks a variable up; options on the command line win.
    /// - Throws: `UsageError`.
    package init(_ arguments: [String], environment: (String) -> String?) throws(UsageError) {
        guard let word = arguments.first else { throw UsageError("name a command: serve or apps") }
        let rest = arguments.dropFirst()
        guard !arguments.contains("--help"), !arguments.contains("-h") else {
            self = .help
            return
        }
        switch word {
        case "serve": self = .serve(try ServeOptions(rest, environment: environment))
        case "apps": self = .apps
        case "--version": self = .version
        default: throw UsageError("unknown command \"\(word)\"; there are serve and apps")
        }
        if word != "serve", let extra = rest.first { throw UsageError("\(word) takes no \"\(extra)\"") }
    }
}
