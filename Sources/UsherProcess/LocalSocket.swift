package import Glibc

/// The path of a Unix socket: the name of the socket, and a folder that only its owner may use.
package struct LocalSocketPath: Sendable {
    private let folder: String
    private let name: String

    /// Creates a path; the file is not created.
    package init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    /// Opens the folder, if only this user may use it.
    fileprivate func openFolder() throws(SystemError) -> Descriptor {
        let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw error() }
        let descriptor = Descriptor(taking: number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw error(EPERM)
        }
        return descriptor
    }

    /// Returns the error of the folder: EPERM if the folder or the peer belongs to another user, or if others may use
    /// the folder.
    private func error(_ number: Int32 = errno) -> SystemError { SystemError("use the socket in", folder, number) }

    /// Returns a short path to the socket through the opened folder, because the address of a Unix socket has room for
    /// only 107 bytes.
    fileprivate func path(in opened: Descriptor, ending: String = "") -> String {
        "/proc/self/fd/\(opened.number)/\(name)\(ending)"
    }

    /// Connects to the listener; nil if no process listens.
    package func connect() throws(SystemError) -> LocalConnection? {
        guard unsafe access(folder, F_OK) == 0 else { return nil }
        let opened = try openFolder()
        let socket = Descriptor(taking: Glibc.socket(AF_UNIX, Self.kind, 0))
        guard unsafe UnixAddress.with(path(in: opened), { unsafe Glibc.connect(socket.number, $0, $1) }) == 0 else {
            guard [ENOENT, ECONNREFUSED].contains(errno) else { throw error() }
            return nil
        }
        guard let connection = LocalConnection(socket) else { throw error(EPERM) }
        return connection
    }

    /// A Boolean value indicating whether there is a socket file on which no process listens.
    package var isAbandoned: Bool {
        unsafe access("\(folder)/\(name)", F_OK) == 0 && (try? connect()) == nil
    }

    /// Listens in place of the previous listener; creates the folder if it does not exist.
    package func listen() throws(SystemError) -> LocalListener {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw error() }
        let opened = try openFolder()
        let socket = Descriptor(taking: Glibc.socket(AF_UNIX, Self.kind | Int32(SOCK_NONBLOCK.rawValue), 0))
        let (new, final) = (path(in: opened, ending: ".\(getpid())"), path(in: opened))
        _ = unsafe unlink(new)
        // Binds under a temporary name first, because renaming replaces the previous socket in one step.
        guard unsafe UnixAddress.with(new, { unsafe bind(socket.number, $0, $1) }) == 0,
            Glibc.listen(socket.number, 8) == 0, unsafe rename(new, final) == 0
        else { throw error() }
        return LocalListener(socket, at: "\(folder)/\(name)", in: folder)
    }

    private static let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
}

/// The address of a Unix socket in the system's form.
package enum UnixAddress {
    /// Calls a closure with the address of a path; cuts a path that is too long.
    package static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        return unsafe withUnsafeBytes(of: address) { bytes in
            // A sockaddr_un is never empty.
            unsafe body(
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.unsafelyUnwrapped, socklen_t(bytes.count))
        }
    }
}

/// A listening Unix socket, whose file is removed when this object is deallocated.
package final class LocalListener: Sendable {
    /// A descriptor that is readable when a peer has connected.
    package var descriptor: Int32 { socket.number }
    private let socket: Descriptor
    private let path: String
    private let folder: String
    /// The identity of this socket's file, to detect that another listener has replaced it.
    private let file: FileIdentity?

    fileprivate init(_ socket: Descriptor, at path: String, in folder: String) {
        self.socket = socket
        self.path = path
        self.folder = folder
        file = FileIdentity(of: path)
    }

    deinit {
        guard FileIdentity(of: path) == file else { return }
        _ = unsafe unlink(path)
        _ = unsafe rmdir(folder)  // Fails if the folder contains other servers' sockets.
    }

    /// Accepts a connection; nil if no connection waits, or if the peer is another user's process.
    package func accept() -> LocalConnection? {
        let number = Glibc.accept(socket.number, nil, nil)
        return number < 0 ? nil : LocalConnection(Descriptor(taking: number))
    }
}

/// The folder for the sockets of this user's processes (XDG Base Directory Specification).
package enum RuntimeFolder {
    /// The folder's path; the folder may not exist.
    package static var path: String {
        // Relative paths are ignored, as the specification demands.
        guard let folder = ProcessEnvironment.variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
            return "/tmp/usher-\(geteuid())"
        }
        return "\(folder)/usher"
    }
}
