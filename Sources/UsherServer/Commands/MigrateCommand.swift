import UsherJournal

/// `usher-postgres migrate`: creates the tables of a journal in a database, as their owner.
package struct MigrateCommand: Sendable {
    private let database: any JournalDatabase

    static let help = CommandHelp(
        "migrate", "create the tables of a journal in PostgreSQL",
        synopses: ["--journal postgres://USER@HOST/DATABASE"],
        description: [
            """
            Run this command as the owner of the tables, before the first server starts. The command also grants the \
            servers' roles their rights. Only executables with PostgreSQL, such as usher-postgres, have the command.
            """
        ], options: options)

    private struct Options: Sendable {
        let engines: [JournalEngine]
        var journal: JournalLocation?
    }

    init(_ words: CommandWords) throws(UsageError) {
        var options = Options(engines: words.engines)
        let reading = try Self.options.read(words, into: &options)
        if let extra = reading.operands.first { throw UsageError("\"migrate\" does not take \"\(extra)\"") }
        guard case .database(let database) = options.journal else {
            throw UsageError(
                "\"migrate\" is for a journal in a database, as in \"usher-postgres migrate --journal postgres://…\"")
        }
        self.database = database
    }

    private static let options = CommandOptions<Options>(
        [
            CommandOption("journal", "URI", "the database (required)") { value, options throws(UsageError) in
                options.journal = try JournalLocation(value, engines: options.engines)
            }
        ], variables: ["journal"])

    /// Creates or upgrades the tables, and returns a sentence that says what was done.
    ///
    /// - Throws: An error whose description is one sentence for the user.
    package func run() throws -> String { try database.migrate() }
}
