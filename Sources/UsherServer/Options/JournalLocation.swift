package import UsherJournal
import UsherProcess
import UsherSQLite

/// The place of a journal.
package enum JournalLocation: Equatable, Sendable {
    /// In memory: sessions end with the process.
    case memory
    /// In a file of SQLite's, in a directory that is there.
    case file(String)
    /// In the file that is used where none is named; its directory is made by the first server.
    case standard(String)

    /// Reads the value of `--journal`.
    ///
    /// - Throws: `UsageError`.
    init(_ text: String) throws(UsageError) {
        guard text != "memory" else {
            self = .memory
            return
        }
        guard text.hasPrefix("sqlite:") else {
            throw UsageError("--journal takes sqlite:PATH or memory, not \"\(text)\"")
        }
        let path = String(text.dropFirst("sqlite:".count))
        guard !path.isEmpty else { throw UsageError("--journal sqlite: names no file; write sqlite:PATH") }
        self = .file(path)
    }

    /// The file that is used where none is named: in the user's directory for state (XDG Base Directory Specification).
    ///
    /// - Throws: `UsageError` for a user without a home.
    init(environment: (String) -> String?) throws(UsageError) {
        // The specification has relative paths ignored.
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            self = .standard("\(state)/usher/journal.sqlite")
        } else if let home = environment("HOME"), !home.isEmpty {
            self = .standard("\(home)/.local/state/usher/journal.sqlite")
        } else {
            throw UsageError("there is no HOME to keep the journal in; name one: --journal sqlite:PATH, or memory")
        }
    }
}

extension JournalLocation: CustomStringConvertible {
    /// As `--journal` takes it.
    package var description: String {
        switch self {
        case .memory: "memory"
        case .file(let path), .standard(let path): "sqlite:\(path)"
        }
    }
}

extension JournalLocation {
    /// Opens the journal to serve sessions; what is missing is made.
    ///
    /// - Parameter durability: The crashes that an acknowledged input outlives; memory outlives nothing.
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

    /// The refusal of a command that would look into the memory of a server.
    static let nothingToLookAt = UsageError(
        "--journal memory holds nothing to look at; name a file: --journal sqlite:PATH")

    private static func open(
        _ path: String, _ durability: Durability, for purpose: Purpose
    ) throws(SQLiteJournalError) -> BatchedJournal {
        try SQLiteJournal.open(path, durability: durability, for: purpose, now: { WallTime.milliseconds() })
    }
}
