public import UsherJournal

extension JournalEngine {
    /// Journals in a PostgreSQL database (14 to 17): `--journal postgres://…`.
    public static var postgres: JournalEngine {
        JournalEngine(name: "PostgreSQL", schemes: PostgresLocation.schemes) { try PostgresLocation($0) }
    }
}

extension PostgresLocation: JournalDatabase {
    /// Opens the journal to serve sessions, as one of the servers on it.
    package func open(as server: SharingServer) throws -> any Journal {
        var settings = PostgresJournal.Settings()
        settings.commitConnections = server.connections
        settings.durability = server.durability
        settings.node = server.name
        settings.build = server.build
        return try PostgresJournal.open(self, settings)
    }

    /// Opens the journal as it is at one moment, to look at it while servers run.
    package func inspect(keyFile: String?) throws -> any Journal {
        throw PostgresJournalError.unfit("\(self)", reason: "it cannot be looked at by this build")
    }

    /// Makes the journal's tables, or brings them up to date, as their owner.
    package func migrate(_ migration: JournalMigration) throws -> String {
        "the journal \(self) is of format \(try Migration.run(on: self))"
    }
}

extension PostgresJournalError: PassingFailure {
    /// True where the database is away.
    package var mayPass: Bool {
        if case .unreachable = self { true } else { false }
    }
}
