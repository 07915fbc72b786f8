import JournalSubject
import Programs
import Testing
import UsherJournal
import UsherSQLite

/// A back-end that is held to the contract; a further one is another line in `all`.
struct BackEnd: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens an empty journal.
    let open: @Sendable (TemporaryFolder) throws -> any Journal

    static let all = [
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
}

extension Subject {
    /// Opens an empty journal of a back-end.
    init(_ backEnd: BackEnd) throws {
        let folder = try TemporaryFolder()
        self.init(try backEnd.open(folder), in: folder)
    }
}
