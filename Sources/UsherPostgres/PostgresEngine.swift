public import UsherJournal

extension JournalEngine {
    /// Journals in a PostgreSQL database (14 to 17): `--journal postgres://…`.
    public static var postgres: JournalEngine {
        JournalEngine(name: "PostgreSQL", schemes: PostgresLocation.schemes) { try PostgresLocation($0) }
    }
}

extension PostgresLocation: JournalDatabase {
    package func open(as server: SharingServer) throws -> any Journal {
        try PostgresJournal(self, as: server, sealing: Self.keys(server.keyFile))
    }

    package func inspect(keyFile: String?) throws -> any Journal {
        try PostgresInspection(self, sealing: Self.keys(keyFile))
    }

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
    /// `true` if the database is unreachable, or if another server uses the name and may end soon.
    package var mayPass: Bool {
        switch self {
        case .unreachable, .nameTaken: true
        default: false
        }
    }
}
