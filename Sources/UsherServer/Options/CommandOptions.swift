/// All options of a command.
struct CommandOptions<Options>: Sendable {
    /// In the order of the usage.
    let all: [CommandOption<Options>]
    /// Those of them that the environment may give.
    private let variables: Set<String>

    /// Makes a command's options.
    ///
    /// - Parameters:
    ///   - all: In the order of the usage.
    ///   - variables: The names of those that the environment may give; all unless told.
    init(_ all: [CommandOption<Options>], variables: Set<String>? = nil) {
        self.all = all
        self.variables = variables ?? Set(all.map(\.name))
    }

    /// Reads the options from a command line, and from the environment those that it does not name.
    ///
    /// - Returns: What is no option, and which options were named.
    /// - Throws: `UsageError` for an unknown option, one without its value, or a bad value.
    func read(
        _ arguments: ArraySlice<String>, environment: (String) -> String?, into options: inout Options
    ) throws(UsageError) -> (operands: [String], named: Set<String>) {
        var given: [(option: CommandOption<Options>, value: String)] = []
        var operands: [String] = []
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument.hasPrefix("-") {
                given.append(try parse(argument, rest: &rest))
            } else {
                operands.append(argument)
            }
        }
        var named = Set(given.map(\.option.name))
        for option in all where !named.contains(option.name) {
            guard variables.contains(option.name), let value = environment(option.variable), !value.isEmpty else {
                continue
            }
            try option.read(variable: value, into: &options)
            named.insert(option.name)
        }
        for (option, value) in given { try option.read(value, into: &options) }
        return (operands, named)
    }

    /// Reads `--name value` or `--name=value`.
    private func parse(
        _ argument: String, rest: inout ArraySlice<String>
    ) throws(UsageError) -> (option: CommandOption<Options>, value: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = parts.first, let option = all.first(where: { "--\($0.name)" == written }) else {
            throw UsageError("unknown option \"\(argument)\"")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(option.placeholder)")
        }
        return (option, value)
    }
}
