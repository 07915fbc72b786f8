package import Glibc

/// The place of a Unix socket: its name, and its folder, which is its owner's alone.
package struct LocalSocketPath: Sendable {
    private let folder: String
    private let name: String

    /// Names a place; nothing is made yet.
    package init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    /// Opens the folder, if it is this user's alone.
    ///
    /// - Throws: `SystemError`.
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

    /// - Parameter number: EPERM where the folder or the peer is not this user's alone.
    private func error(_ number: Int32 = errno) -> SystemError { SystemError("use the socket in", folder, number) }

    /// A path of bounded length, for the address of a Unix socket holds 107 bytes.
    fileprivate func path(in opened: Descriptor, ending: String = "") -> String {
        "/proc/self/fd/\(opened.number)/\(name)\(ending)"
    }

    /// Connects to whoever listens there.
    ///
    /// - Returns: nil if nobody does.
    /// - Throws: `SystemError`.
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

    /// True where a socket was left behind by a process that nobody hears any more.
    package var isAbandoned: Bool {
        unsafe access("\(folder)/\(name)", F_OK) == 0 && (try? connect()) == nil
    }

    /// Listens there, in place of whoever did before; the folder is made where there is none.
    ///
    /// - Throws: `SystemError`.
    package func listen() throws(SystemError) -> LocalListener {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw error() }
        let opened = try openFolder()
        let socket = Descriptor(taking: Glibc.socket(AF_UNIX, Self.kind | Int32(SOCK_NONBLOCK.rawValue), 0))
        let (new, final) = (path(in: opened, ending: ".\(getpid())"), path(in: opened))
        _ = unsafe unlink(new)
        // Under a name of its own first: so it takes the other's place in one step.
        guard unsafe UnixAddress.with(new, { unsafe bind(socket.number, $0, $1) }) == 0,
            Glibc.listen(socket.number, 8) == 0, unsafe rename(new, final) == 0
        else { throw error() }
        return LocalListener(socket, at: "\(folder)/\(name)", in: folder)
    }

    private static let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
}

/// The address of a Unix socket in the system's form.
package enum UnixAddress {
    /// Lends the address of a path, which is cut where it is too long.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - body: A call of the system with the address.
    /// - Returns: What the call returns.
    package static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8.prefix($0.count - 1))
        }
        return unsafe withUnsafeBytes(of: address) { bytes in
            // A sockaddr_un is never without bytes.
            unsafe body(
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.unsafelyUnwrapped, socklen_t(bytes.count))
        }
    }
}

/// A Unix socket that listens, until the last reference to it is gone.
package final class LocalListener: Sendable {
    /// A descriptor that can be read from when somebody has connected.
    package var descriptor: Int32 { socket.number }
    private let socket: Descriptor
    private let path: String
    private let folder: String
    /// The file of this socket, which another may have taken the place of by the time it goes.
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
        _ = unsafe rmdir(folder)  // Stays where other servers have theirs in it.
    }

    /// Takes a connection; nil where there is none, or only one of another user.
    package func accept() -> LocalConnection? {
        let number = Glibc.accept(socket.number, nil, nil)
        return number < 0 ? nil : LocalConnection(Descriptor(taking: number))
    }
}

/// The folder for the sockets of this user's processes (XDG Base Directory Specification).
package enum RuntimeFolder {
    /// Its path; it need not be there.
    package static var path: String {
        // The specification has relative paths ignored.
        guard let folder = ProcessEnvironment.variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
            return "/tmp/usher-\(geteuid())"
        }
        return "\(folder)/usher"
    }
}
