import UsherJournal

/// `usher-postgres migrate`: makes the tables of a journal in a database, or brings them up to date, as their owner.
package struct MigrateCommand: Sendable {
    private let finishes: Bool
    private let database: any JournalDatabase

    static let help = CommandHelp(
        "migrate", "create or upgrade the tables of a journal in PostgreSQL",
        synopses: ["--journal postgres://USER@HOST/DATABASE [--finish]"],
        description: [
            """
            Run it as the owner of the tables, before servers of a new build start. It is for executables with \
            PostgreSQL, such as usher-postgres.
            """
        ], options: options)

    private struct Options: Sendable {
        let engines: [JournalEngine]
        var journal: JournalLocation?
        var finishes = false
    }

    init(
        _ arguments: ArraySlice<String>, engines: [JournalEngine], environment: (String) -> String?
    ) throws(UsageError) {
        var options = Options(engines: engines)
        let reading = try Self.options.read(arguments, environment: environment, into: &options)
        if let extra = reading.operands.first { throw UsageError("migrate takes no \"\(extra)\"") }
        guard case .database(let database) = options.journal else {
            throw UsageError("migrate is for a journal in a database: usher-postgres migrate --journal postgres://…")
        }
        self.database = database
        finishes = options.finishes
    }

    private static let options = CommandOptions<Options>(
        [
            CommandOption("journal", "URI", "the database (required)") { value, options throws(UsageError) in
                options.journal = try JournalLocation(value, engines: options.engines)
            },
            CommandOption(
                "finish", "also remove what only servers of the build before need; none of them may run any more",
                sets: \.finishes, to: true),
        ], variables: ["journal"])

    /// Does it.
    ///
    /// - Returns: What was done, in one sentence.
    /// - Throws: Why it cannot be done, in one sentence.
    package func run() throws -> String { try database.migrate(finishes ? .finish : .begin) }
}
