import UsherJournal
import UsherProcess

/// The files of a server's own state, which outlives its process.
///
/// The state is the flight record, a secret, the operators' logins, and the socket where supervisors find each other.
package struct StateFolder: Sendable {
    /// The path of the flight record.
    package let flightRecord: String
    /// The path of the secret from which sessions' tokens are derived.
    let sessionKey: String
    /// The path of the operators' logins.
    let logins: String
    /// The path of the socket where supervisors find each other.
    let control: LocalSocketPath
    /// The folder to lock; nil if the journal's own lock admits only one process.
    private let folder: String?

    /// Creates the state of a server whose journal is a file: the state is beside this file.
    package init(besideJournal path: String) { self.init(at: "\(path)-", folder: nil) }

    /// Creates the state of a server with another journal: the state has a folder of its own.
    init(_ folder: String) { self.init(at: "\(folder)/", folder: folder) }

    private init(at prefix: String, folder: String?) {
        flightRecord = "\(prefix)slots"
        sessionKey = "\(prefix)session-key"
        logins = "\(prefix)logins"
        control = LocalSocketPath(folder: "\(prefix)control", name: "socket")
        self.folder = folder
    }

    /// Returns Usher's folder for state (XDG Base Directory Specification); nil for a user without a home directory.
    static func standard(_ environment: (String) -> String?) -> String? {
        // The specification says to ignore relative paths.
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/usher" }
        guard let home = environment("HOME"), !home.isEmpty else { return nil }
        return "\(home)/.local/state/usher"
    }

    func make() throws(SystemError) {
        if let folder { try Folder.make(folder) }
    }

    /// Locks the folder for this process, until the lock is released.
    ///
    /// - Returns: nil if the journal's lock is enough.
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
        return "this server cannot use the folder \(path): \(reason); name another with --state DIR"
    }
}
