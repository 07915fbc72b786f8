import UsherSessions

/// What the commands that look at a journal can be told.
struct InspectionOptions: Sendable {
    /// What a session is exported as.
    enum Form: String, CaseIterable, Sendable {
        case curl, swift
    }

    private(set) var journal = JournalLocation.memory
    private(set) var revision: Int?
    private(set) var form = Form.curl
    /// What is no option.
    private(set) var operands: [String] = []

    typealias Option = CommandOption<InspectionOptions>

    /// Reads a command's options.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind the command's name.
    ///   - own: The options that the command takes beside `--journal`.
    ///   - environment: Looks a variable up.
    /// - Throws: `UsageError`.
    init(
        _ arguments: ArraySlice<String>, own: [Option] = [], environment: (String) -> String?
    ) throws(UsageError) {
        let options = CommandOptions([Self.journalOption] + own, variables: ["journal"])
        let reading = try options.read(arguments, environment: environment, into: &self)
        if !reading.named.contains("journal") { journal = try JournalLocation(environment: environment) }
        guard journal != .memory else {
            throw JournalLocation.nothingToLookAt
        }
        operands = reading.operands
    }

    /// The only operand: a session.
    ///
    /// - Throws: `UsageError`.
    func session(of command: String) throws(UsageError) -> SessionID {
        guard let text = operands.first, operands.count == 1 else {
            throw UsageError("\(command) takes one session: usher \(command) SESSION --journal sqlite:PATH")
        }
        guard let id = SessionID(text) else {
            throw UsageError("\"\(text)\" is no session's id, which has 32 hexadecimal digits in lower case")
        }
        return id
    }

    private static let journalOption = Option("journal", "sqlite:PATH", "the journal") {
        value, options throws(UsageError) in
        options.journal = try JournalLocation(value)
    }

    static let revisionOption = Option("to", "REVISION", "how far") { value, options throws(UsageError) in
        options.revision = try Option.number(value, of: "to", in: 1...Int.max)
    }

    static let formOption = Option("as", "curl|swift", "as what") { value, options throws(UsageError) in
        guard let form = Form(rawValue: value) else {
            throw UsageError("--as takes curl or swift, not \"\(value)\"")
        }
        options.form = form
    }
}
