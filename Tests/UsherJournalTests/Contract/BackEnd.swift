import JournalSubject
import PostgresCluster
import Programs
import Testing
import UsherJournal
import UsherPostgres
import UsherSQLite

/// A back end that must fulfil the contract; a new one needs only another line in `all`.
struct BackEnd: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens an empty journal.
    let open: @Sendable (TemporaryFolder) throws -> any Journal

    /// All back ends, or only those of this process if `USHER_NO_PROGRAMS` is set, as in `script/check`.
    static let all = ofThisProcess + (Program.environment["USHER_NO_PROGRAMS"] == nil ? ofDatabases : [])

    /// The journals for one server.
    static let ofThisProcess = [
        BackEnd(testDescription: "memory") { _ in MemoryJournal() },
        BackEnd(testDescription: "batched, sync") { _ in try BatchedJournal.inDictionary() },
        BackEnd(testDescription: "batched, relaxed") { _ in
            try BatchedJournal.inDictionary(DictionaryStorage.Script(), .relaxed)
        },
        BackEnd(testDescription: "SQLite, sync") { folder in
            try SQLiteJournal.open(folder("journal.db"), durability: .sync, now: { 0 })
        },
        BackEnd(testDescription: "SQLite, relaxed") { folder in
            try SQLiteJournal.open(folder("journal.db"), durability: .relaxed, now: { 0 })
        },
    ]

    private static let ofDatabases = [
        BackEnd(testDescription: "PostgreSQL, sync") { _ in try PostgresJournal.inNewDatabase(.sync) },
        BackEnd(testDescription: "PostgreSQL, relaxed") { _ in try PostgresJournal.inNewDatabase(.relaxed) },
        BackEnd(testDescription: "PostgreSQL, sealed") { folder in
            let key = String(repeating: "5a", count: 32)
            return try PostgresJournal.inNewDatabase(
                .sync, sealing: SealingKeys(file: folder.write(key, to: "key")))
        },
        BackEnd(testDescription: "PostgreSQL, two servers") { _ in try TwoServerJournal() },
    ]
}

extension PostgresJournal {
    /// Opens an empty journal.
    fileprivate static func inNewDatabase(
        _ durability: Durability, sealing: SealingKeys? = nil
    ) throws -> PostgresJournal {
        try open(newDatabase(), named: "one", durability, sealing: sealing)
    }

    /// Creates a database with a journal's tables.
    static func newDatabase() throws -> PostgresLocation {
        let cluster = try PostgresCluster.shared
        let location = try PostgresLocation(cluster.uri(of: cluster.makeDatabase()))
        try Migration.run(on: location)
        return location
    }

    /// Opens the journal in a database, as one of several servers does.
    static func open(
        _ location: PostgresLocation, named name: String, _ durability: Durability = .sync,
        sealing: SealingKeys? = nil
    ) throws -> PostgresJournal {
        try PostgresJournal(location, as: SharingServer(name, durability: durability), sealing: sealing)
    }
}

extension Subject {
    /// Opens an empty journal of a back end.
    init(_ backEnd: BackEnd) throws {
        let folder = try TemporaryFolder()
        self.init(try backEnd.open(folder), in: folder)
    }
}
