import Testing
import UsherJournal

@testable import UsherSQLite

/// The journals that are held to the same contract.
enum Storage: String, CaseIterable, CustomTestStringConvertible {
    case memory, sync, relaxed

    var testDescription: String { rawValue }

    /// An empty journal.
    func journal(in folder: Folder) throws -> any Journal {
        switch self {
        case .memory: MemoryJournal()
        case .sync: try SQLiteJournal(path: folder("journal.db"), durability: .sync, now: { 0 })
        case .relaxed: try SQLiteJournal(path: folder("journal.db"), durability: .relaxed, now: { 0 })
        }
    }
}
