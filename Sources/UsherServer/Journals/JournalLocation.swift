/// Where a journal is kept.
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
