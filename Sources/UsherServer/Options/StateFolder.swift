import UsherJournal
import UsherProcess

/// The files of a server's own state, which outlive its process.
package struct StateFolder: Sendable {
    /// The path of the flight record.
    package let flightRecord: String
    /// The path of the secret from which sessions' tokens are derived.
    let sessionKey: String
    /// The path of the operators' logins.
    let logins: String
    /// The path of the socket on which supervisors connect to each other.
    let control: LocalSocketPath
    /// The folder to lock; nil if the journal's own lock already excludes other processes.
    private let folder: String?

    /// Creates the paths for a server whose journal is a file: the files are beside the journal.
    package init(besideJournal path: String) { self.init(at: "\(path)-", folder: nil) }

    /// Creates the paths for a server with another journal: the files have their own folder.
    init(_ folder: String) { self.init(at: "\(folder)/", folder: folder) }

    private init(at prefix: String, folder: String?) {
        flightRecord = "\(prefix)slots"
        sessionKey = "\(prefix)session-key"
        logins = "\(prefix)logins"
        control = LocalSocketPath(folder: "\(prefix)control", name: "socket")
        self.folder = folder
    }

    /// Returns Usher's folder for state (XDG Base Directory Specification); nil if the user has no home directory.
    static func standard(_ environment: (String) -> String?) -> String? {
        // Relative paths are ignored, as the specification demands.
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/usher" }
        guard let home = environment("HOME"), !home.isEmpty else { return nil }
        return "\(home)/.local/state/usher"
    }

    func make() throws(SystemError) {
        if let folder { try Folder.make(folder) }
    }

    /// Locks the folder for this process, until the lock is released; returns nil if the journal's own lock is enough.
    ///
    /// - Throws: `SystemError`, `StateFolderError`.
    func lock() throws -> FileLock? {
        guard let folder else { return nil }
        try make()
        do throws(SystemError) {
            return try FileLock(at: "\(folder)/lock")
        } catch {
            throw StateFolderError(path: folder, cause: error)
        }
    }
}

/// The error if the folder of a server's state cannot be used.
struct StateFolderError: PassingFailure, CustomStringConvertible {
    let path: String
    let cause: SystemError

    var mayPass: Bool { cause.isHeld }

    var description: String {
        let reason = cause.isHeld ? "another server uses it" : "\(cause)"
        return "this server cannot use the folder \(path): \(reason); name another folder with --state DIR"
    }
}
