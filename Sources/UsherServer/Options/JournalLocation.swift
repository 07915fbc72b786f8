package import UsherJournal
import UsherProcess
import UsherSQLite

/// The place of a journal.
package enum JournalLocation: Sendable {
    /// In memory: sessions end with the process.
    case memory
    /// In a file of SQLite's, in a directory that is there.
    case file(String)
    /// In the file that is used where none is named; its directory is made by the first server.
    case standard(String)
    /// In a database, which several servers may share.
    case database(any JournalDatabase)

    /// Reads the value of `--journal`.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - engines: The databases that this executable is built with.
    /// - Throws: `UsageError`.
    init(_ text: String, engines: [JournalEngine]) throws(UsageError) {
        if text == "memory" {
            self = .memory
        } else if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            guard !path.isEmpty else { throw UsageError("--journal sqlite: names no file; write sqlite:PATH") }
            self = .file(path)
        } else {
            self = .database(try Self.database(text, engines))
        }
    }

    private static func database(
        _ text: String, _ engines: [JournalEngine]
    ) throws(UsageError) -> any JournalDatabase {
        let scheme = text.prefix { $0 != ":" }
        guard let engine = engines.first(where: { $0.schemes.contains(String(scheme)) }) else {
            guard !["postgres", "postgresql"].contains(scheme) else {
                throw UsageError("this executable keeps no journal in PostgreSQL; usher-postgres does")
            }
            // A mistyped URI may have a password in it.
            let forms = ["sqlite:PATH"] + engines.flatMap(\.schemes).map { "\($0)://…" }
            throw UsageError("--journal takes \(forms.joined(separator: ", ")) or memory, not \"\(scheme)\"")
        }
        do { return try engine.database(at: text) } catch { throw UsageError("\(error)") }
    }

    /// The file that is used where none is named: in the user's directory for state (XDG Base Directory Specification).
    ///
    /// - Throws: `UsageError` for a user without a home.
    init(environment: (String) -> String?) throws(UsageError) {
        guard let folder = StateFolder.standard(environment) else {
            throw UsageError("there is no HOME to keep the journal in; name one: --journal sqlite:PATH, or memory")
        }
        self = .standard("\(folder)/journal.sqlite")
    }

    /// True for a journal in a database, which several servers may share.
    var isShared: Bool {
        if case .database = self { true } else { false }
    }
}

extension JournalLocation: Equatable {
    /// Databases are equal that are shown as the same.
    package static func == (left: JournalLocation, right: JournalLocation) -> Bool {
        switch (left, right) {
        case (.memory, .memory): true
        case (.file(let left), .file(let right)), (.standard(let left), .standard(let right)): left == right
        case (.database(let left), .database(let right)): "\(left)" == "\(right)"
        default: false
        }
    }
}

extension JournalLocation: CustomStringConvertible {
    /// As `--journal` takes it; of a database only what is no secret.
    package var description: String {
        switch self {
        case .memory: "memory"
        case .file(let path), .standard(let path): "sqlite:\(path)"
        case .database(let database): "\(database)"
        }
    }
}

extension JournalLocation {
    /// Opens the journal to serve sessions; what is missing of files is made.
    ///
    /// - Parameters:
    ///   - durability: The crashes that an acknowledged input outlives; memory outlives nothing.
    ///   - server: This server among others, where the journal is shared.
    /// - Throws: `SQLiteJournalError`; `SystemError` where the standard directory cannot be made;
    ///   `PrivateFile.ExposureError` for a file that others may read or write; what a database's engine throws.
    package func open(
        _ durability: Durability, as server: @autoclosure () -> SharingServer
    ) throws -> any Journal {
        switch self {
        case .memory: return MemoryJournal()
        case .file(let path):
            // Kubernetes may give a volume's files to the group of the pod.
            for file in [path, "\(path)-wal", StateFolder(besideJournal: path).flightRecord] {
                if let exposure = PrivateFile.exposure(of: file, isForGroup: true) { throw exposure }
            }
            return try Self.open(path, durability, for: .serving)
        case .standard(let path):
            try Folder.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            return try JournalLocation.file(path).open(durability, as: server())
        case .database(let database): return try database.open(as: server())
        }
    }

    /// Opens the journal to look at it; nothing is changed.
    ///
    /// - Parameter keyFile: The file with the keys by which a database's contents are sealed; nil where they are not.
    /// - Throws: `SQLiteJournalError`; `UsageError` for memory, in which there is nothing; what a database's engine throws.
    package func inspect(keyFile: String? = nil) throws -> any Journal {
        switch self {
        case .memory: throw Self.nothingToLookAt
        case .file(let path), .standard(let path): return try Self.open(path, .sync, for: .inspecting)
        case .database(let database): return try database.inspect(keyFile: keyFile)
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
