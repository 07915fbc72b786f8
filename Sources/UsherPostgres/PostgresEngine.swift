public import UsherJournal

extension JournalEngine {
    /// Journals in a PostgreSQL database (14 to 17): `--journal postgres://…`.
    public static var postgres: JournalEngine {
        JournalEngine(name: "PostgreSQL", schemes: PostgresLocation.schemes) { try PostgresLocation($0) }
    }
}

extension PostgresLocation: JournalDatabase {
    /// Opens the journal to serve sessions, as one of its servers.
    package func open(as server: SharingServer) throws -> any Journal {
        var settings = PostgresJournal.Settings()
        settings.commitConnections = server.connections
        settings.durability = server.durability
        settings.node = server.name
        settings.build = server.build
        settings.lineage = server.lineage
        settings.sealing = try Self.keys(server.keyFile)
        return try PostgresJournal.open(self, settings)
    }

    /// Opens a snapshot of the journal for inspection while servers run.
    package func inspect(keyFile: String?) throws -> any Journal {
        try PostgresJournal.inspect(self, sealing: Self.keys(keyFile))
    }

    /// Creates the journal's tables, as their owner.
    package func migrate() throws -> String {
        switch try Migration.run(on: self) {
        case .made: "created the tables of the journal \(self)"
        case .upToDate: "the journal \(self) is up to date"
        }
    }

    private static func keys(_ file: String?) throws(PostgresJournalError) -> SealingKeys? {
        guard let file else { return nil }
        return try SealingKeys(file: file)
    }
}

extension PostgresJournalError: PassingFailure {
    /// A Boolean value that indicates whether the database is unreachable, or a server that may end soon has the name.
    package var mayPass: Bool {
        switch self {
        case .unreachable, .nameTaken: true
        default: false
        }
    }
}
