package import UsherJournal
import UsherProcess
import UsherSQLite

package enum JournalLocation: Sendable {
    /// In memory, so that sessions end with the process.
    case memory
    /// An SQLite file in an existing directory.
    case file(String)
    /// The default file; the first server creates its directory.
    case standard(String)
    /// A database, which several servers may share.
    case database(any JournalDatabase)

    /// Parses the value of `--journal`, given the databases that this executable is built with.
    init(_ text: String, engines: [JournalEngine]) throws(UsageError) {
        if text == "memory" {
            self = .memory
        } else if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            guard !path.isEmpty else {
                throw UsageError("\"--journal sqlite:\" has no path; write --journal sqlite:PATH")
            }
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
                throw UsageError("this executable does not support PostgreSQL; use usher-postgres")
            }
            // Only the scheme is printed, because a mistyped URI may contain a password.
            let forms = ["sqlite:PATH"] + engines.flatMap(\.schemes).map { "\($0)://…" }
            throw UsageError("--journal takes \(forms.joined(separator: ", ")) or memory, not \"\(scheme)\"")
        }
        do { return try engine.database(at: text) } catch { throw UsageError("\(error)") }
    }

    /// Creates the location of the default file, in the user's state directory (XDG Base Directory Specification).
    ///
    /// - Throws: `UsageError` if the user has no home directory.
    init(environment: (String) -> String?) throws(UsageError) {
        guard let folder = StateFolder.standard(environment) else {
            throw UsageError(
                "HOME is not set, so there is no default journal; name one with --journal sqlite:PATH, or use --journal memory"
            )
        }
        self = .standard("\(folder)/journal.sqlite")
    }

    /// A Boolean value that indicates whether several servers may share the journal, because it is in a database.
    var isShared: Bool {
        if case .database = self { true } else { false }
    }
}

extension JournalLocation: Equatable {
    /// Compares databases by their descriptions.
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
    /// The location as `--journal` takes it, without the secrets in a database's URI.
    package var description: String {
        switch self {
        case .memory: "memory"
        case .file(let path), .standard(let path): "sqlite:\(path)"
        case .database(let database): "\(database)"
        }
    }
}

extension JournalLocation {
    /// Opens the journal to serve sessions; creates missing files.
    ///
    /// - Parameters:
    ///   - durability: The crashes that an acknowledged input survives; a journal in memory survives none.
    ///   - server: This server's identity among the servers of a shared journal.
    /// - Throws: `SQLiteJournalError`; `SystemError` if the default directory cannot be created;
    ///   `PrivateFile.ExposureError` for a file that other users may read or write; errors of a database's engine.
    package func open(
        _ durability: Durability, as server: @autoclosure () -> SharingServer
    ) throws -> any Journal {
        switch self {
        case .memory: return MemoryJournal()
        case .file(let path):
            // The file's group may have access, because Kubernetes may give the files of a volume to the pod's group.
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

    /// Opens the journal for inspection, which changes nothing.
    ///
    /// - Parameter keyFile: The file with the keys that encrypt a database's contents; nil if they are not encrypted.
    /// - Throws: `SQLiteJournalError`; `UsageError` for a journal in memory; errors of a database's engine.
    package func inspect(keyFile: String? = nil) throws -> any Journal {
        switch self {
        case .memory: throw Self.nothingToLookAt
        case .file(let path), .standard(let path): return try Self.open(path, .sync, for: .inspecting)
        case .database(let database): return try database.inspect(keyFile: keyFile)
        }
    }

    /// The error if a command needs a stored journal, but the option names memory.
    static let nothingToLookAt = UsageError(
        "--journal memory has no stored sessions; name a file: --journal sqlite:PATH")

    private static func open(
        _ path: String, _ durability: Durability, for purpose: Purpose
    ) throws(SQLiteJournalError) -> BatchedJournal {
        try SQLiteJournal.open(path, durability: durability, for: purpose, now: { WallTime.milliseconds() })
    }
}
