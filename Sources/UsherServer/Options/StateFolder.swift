import UsherJournal
import UsherProcess

/// The place of a server's own state, which outlives its process: the flight record, a secret, operators' logins, and the socket
/// at which supervisors find each other.
package struct StateFolder: Sendable {
    /// The file of the flight record.
    package let flightRecord: String
    /// The file of the secret from which sessions' tokens are derived.
    let sessionKey: String
    /// The file of operators' logins.
    let logins: String
    /// The place at which supervisors find each other.
    let control: LocalSocketPath
    /// The folder, where no journal's own lock sees to it that one process at a time has it.
    private let folder: String?

    /// The state of a server whose journal is in a file: beside it.
    package init(besideJournal path: String) { self.init(at: "\(path)-", folder: nil) }

    /// The state of a server whose journal is elsewhere: in a folder of its own.
    init(_ folder: String) { self.init(at: "\(folder)/", folder: folder) }

    private init(at prefix: String, folder: String?) {
        flightRecord = "\(prefix)slots"
        sessionKey = "\(prefix)session-key"
        logins = "\(prefix)logins"
        control = LocalSocketPath(folder: "\(prefix)control", name: "socket")
        self.folder = folder
    }

    /// The folder for state that programs of this user's share (XDG Base Directory Specification), with a folder of Usher's in
    /// it; nil for a user without a home.
    static func standard(_ environment: (String) -> String?) -> String? {
        // The specification has relative paths ignored.
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/usher" }
        guard let home = environment("HOME"), !home.isEmpty else { return nil }
        return "\(home)/.local/state/usher"
    }

    /// Makes the folder.
    ///
    /// - Throws: `SystemError`.
    func make() throws(SystemError) {
        if let folder { try Folder.make(folder) }
    }

    /// Takes the folder for this process alone, for as long as the lock is held.
    ///
    /// - Returns: nil where the journal's lock is enough.
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

/// The folder of a server's state cannot be had.
struct StateFolderError: PassingFailure, CustomStringConvertible {
    let path: String
    let cause: SystemError

    var mayPass: Bool { cause.isHeld }

    var description: String {
        let reason = cause.isHeld ? "another server has it" : "\(cause)"
        return "the folder \(path) cannot be this server's: \(reason); name another with --state DIR"
    }
}
