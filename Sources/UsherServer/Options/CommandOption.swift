import UsherJournal

/// An option of a command: its name, its summary, and the property that it sets.
struct CommandOption<Options>: Sendable {
    typealias Setter = @Sendable (String, inout Options) throws(UsageError) -> Void

    /// Parses the text of the option with a name.
    typealias Parser<Value> = @Sendable (_ text: String, _ name: String) throws(UsageError) -> Value

    /// The name without the hyphens, for example `max-sessions`.
    let name: String
    let line: CommandHelp.OptionLine
    private let isRepeatable: Bool
    /// A Boolean value that indicates whether an empty environment variable is parsed, which leads to an error; if
    /// `false`, an empty variable is ignored.
    let readsEmptyVariable: Bool
    let set: Setter

    init(
        _ name: String, _ placeholder: String, _ summary: String,
        isRepeatable: Bool = false, readsEmptyVariable: Bool = false, set: @escaping Setter
    ) {
        self.name = name
        line = CommandHelp.OptionLine(name: "--\(name)", placeholder: placeholder, summary: summary)
        self.isRepeatable = isRepeatable
        self.readsEmptyVariable = readsEmptyVariable
        self.set = set
    }

    init<Value>(
        _ name: String, _ placeholder: String, _ summary: String,
        sets property: any WritableKeyPath<Options, Value> & Sendable, readsEmptyVariable: Bool = false,
        _ parse: @escaping Parser<Value>
    ) {
        self.init(name, placeholder, summary, readsEmptyVariable: readsEmptyVariable) {
            text, options throws(UsageError) in
            options[keyPath: property] = try parse(text, name)
        }
    }

    /// Creates a switch, which has no value and sets a property if it is given.
    init(
        _ name: String, _ summary: String, sets property: any WritableKeyPath<Options, Bool> & Sendable, to value: Bool
    ) {
        self.init(name, "", summary) { text, options throws(UsageError) in
            guard ["0", "1"].contains(text) else {
                throw UsageError("--\(name) is 1 or 0 in the environment, not \"\(text)\"")
            }
            options[keyPath: property] = (text == "1") == value
        }
    }

    var isSwitch: Bool { line.placeholder.isEmpty }

    /// The environment variable of the option, for example `USHER_MAX_SESSIONS`.
    var variable: String {
        "USHER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// Parses the variable's value; a repeatable option's values are separated by commas.
    func read(variable value: String, into options: inout Options) throws(UsageError) {
        do {
            guard isRepeatable else { return try set(value, &options) }
            for part in value.split(separator: ",") { try set(String(part), &options) }
        } catch {
            throw UsageError("\(variable) in the environment: \(error.reason)")
        }
    }
}

extension CommandOption {
    static func number(in range: ClosedRange<Int>) -> Parser<Int> {
        { text, name throws(UsageError) in
            guard let number = Int(text), range.contains(number) else {
                throw UsageError(
                    "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
            }
            return number
        }
    }

    /// Returns a parser for a number of bytes with an optional unit: `K`, `M` or `G` (KiB, MiB or GiB), and optionally
    /// a `B`.
    static func size(in range: ClosedRange<Int>, suchAs example: String = "8K") -> Parser<Int> {
        { text, name throws(UsageError) in
            let units = ["": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
            let number = text.hasSuffix("B") ? text.dropLast() : text[...]
            guard let bytes = product(number, units), range.contains(bytes) else {
                let bounds = "from \(range.lowerBound) to \(range.upperBound)"
                throw UsageError("--\(name) takes bytes \(bounds), such as \(example), not \"\(text)\"")
            }
            return bytes
        }
    }

    /// Returns a parser that also accepts 0, which means no limit.
    static func unlimited<Value>(or parse: @escaping Parser<Value>) -> Parser<Value?> {
        { text, name throws(UsageError) in
            guard text != "0" else { return nil }
            do throws(UsageError) { return try parse(text, name) } catch {
                throw UsageError("\(error.reason); 0 means no limit")
            }
        }
    }

    /// A parser for a whole number with a unit (`ms`, `s`, `m`, `h` or `d`), from 100 ms to a year.
    static var duration: Parser<Duration> {
        { text, name throws(UsageError) in
            let units = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
            guard let milliseconds = product(text[...], units), (100...365 * 86_400_000).contains(milliseconds) else {
                throw UsageError("--\(name) takes a time from 100ms to 365d, such as 30s, 5m or 24h, not \"\(text)\"")
            }
            return .milliseconds(milliseconds)
        }
    }

    /// Returns the product of a number and its unit; nil if the text is malformed or the product overflows.
    private static func product(_ text: Substring, _ units: [String: Int]) -> Int? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits), let scale = units[String(text.dropFirst(digits.count))] else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: scale)
        return overflow ? nil : product
    }

    /// Returns a parser for any text that is not empty; `thing` is the text's meaning, for the error message.
    static func path(_ thing: String = "the path of a file") -> Parser<String> {
        { text, name throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("--\(name) takes \(thing)") }
            return text
        }
    }

    static var secret: Parser<String> {
        { text, name throws(UsageError) in
            guard let secret = BearerSecret(text) else { throw UsageError("--\(name) takes \(BearerSecret.demand)") }
            return secret.text
        }
    }

    /// Returns a parser for the names of the given values.
    static func word<Value: RawRepresentable<String> & Sendable>(_ values: Value...) -> Parser<Value> {
        { text, name throws(UsageError) in
            guard let value = values.first(where: { $0.rawValue == text }) else {
                let words = values.map(\.rawValue).joined(separator: " or ")
                throw UsageError("--\(name) takes \(words), not \"\(text)\"")
            }
            return value
        }
    }
}

/// The arguments after a command's name, and their context.
struct CommandWords {
    let arguments: ArraySlice<String>
    let engines: [JournalEngine]
    /// Returns the value of an environment variable; options on the command line take precedence.
    let environment: (String) -> String?
}

/// The parser of a command's options.
struct CommandOptions<Options>: Sendable {
    /// Options under one title in the help.
    struct Group: Sendable {
        let title: String
        let options: [CommandOption<Options>]

        init(_ title: String, _ options: [CommandOption<Options>]) {
            self.title = title
            self.options = options
        }
    }

    let groups: [Group]
    /// The names of the options that environment variables can set.
    private let variables: Set<String>

    /// Creates a parser for options that environment variables can set, too.
    init(_ groups: [Group]) {
        self.groups = groups
        variables = Set(groups.flatMap(\.options).map(\.name))
    }

    /// Creates a parser for options under one title, of which environment variables can set those named in `variables`.
    init(_ options: [CommandOption<Options>], variables: Set<String> = []) {
        groups = [Group("Options", options)]
        self.variables = variables
    }

    /// All options, in the order of the page.
    var all: [CommandOption<Options>] { groups.flatMap(\.options) }

    /// The options that environment variables can set, in the order of the page.
    var withVariables: [CommandOption<Options>] { all.filter { variables.contains($0.name) } }

    /// Parses the options of a command line; takes missing options from the environment.
    ///
    /// - Returns: The operands, and the names of the options that were given.
    /// - Throws: `UsageError` for an unknown option, a missing value, or a bad value.
    func read(
        _ words: CommandWords, into options: inout Options
    ) throws(UsageError) -> (operands: [String], named: Set<String>) {
        var given: [(option: CommandOption<Options>, value: String)] = []
        var operands: [String] = []
        var rest = words.arguments
        while let argument = rest.popFirst() {
            if argument.hasPrefix("-") {
                given.append(try parse(argument, rest: &rest))
            } else {
                operands.append(argument)
            }
        }
        var named = Set(given.map(\.option.name))
        for option in withVariables where !named.contains(option.name) {
            guard let value = words.environment(option.variable), !value.isEmpty || option.readsEmptyVariable
            else { continue }
            try option.read(variable: value, into: &options)
            named.insert(option.name)
        }
        for (option, value) in given { try option.set(value, &options) }
        return (operands, named)
    }

    /// Parses `--name value` or `--name=value`.
    private func parse(
        _ argument: String, rest: inout ArraySlice<String>
    ) throws(UsageError) -> (option: CommandOption<Options>, value: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = parts.first, let option = all.first(where: { $0.line.name == written }) else {
            // The value is not printed: if the name of a secret's option is mistyped, the value is the secret.
            throw UsageError("unknown option \"\(parts[0])\"")
        }
        guard !option.isSwitch else {
            guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value") }
            return (option, "1")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw UsageError("--\(option.name) needs a value: \(option.line.form)")
        }
        return (option, value)
    }
}
