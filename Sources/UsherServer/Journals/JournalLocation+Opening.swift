package import UsherJournal
import UsherProcess
package import UsherSQLite

extension JournalLocation {
    /// Opens the journal to serve sessions; what is missing is made.
    ///
    /// - Parameter durability: What an acknowledged input outlives; memory outlives nothing.
    /// - Throws: `SQLiteJournalError`; `Folder.MakingError` where the standard directory cannot be made.
    package func open(_ durability: Durability) throws -> any Journal {
        switch self {
        case .memory: return MemoryJournal()
        case .file(let path): return try Self.open(path, durability, for: .serving)
        case .standard(let path):
            try Folder.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            return try Self.open(path, durability, for: .serving)
        }
    }

    /// Opens the journal to look at it; nothing is changed.
    ///
    /// - Throws: `SQLiteJournalError`; `UsageError` for memory, in which there is nothing.
    package func inspect() throws -> any Journal {
        switch self {
        case .memory: throw Self.nothingToLookAt
        case .file(let path), .standard(let path): return try Self.open(path, .sync, for: .inspecting)
        }
    }

    /// What a command is told that would look into the memory of a server.
    static let nothingToLookAt = UsageError(
        "--journal memory holds nothing to look at; name a file: --journal sqlite:PATH")

    private static func open(
        _ path: String, _ durability: Durability, for purpose: Purpose
    ) throws(SQLiteJournalError) -> SQLiteJournal {
        try SQLiteJournal(path: path, durability: durability, for: purpose, now: { WallTime.milliseconds() })
    }
}
