private import CMicroHTTPD
private import Glibc
private import UsherProcess

struct SocketFile: Sendable {
    private let path: String
    private let identity: FileIdentity

    /// Binds a socket to a path, and replaces the file of a process that no longer listens.
    ///
    /// Nobody can connect before the file's mode is set, because the socket does not listen yet.
    static func bind(_ socket: Int32, _ path: String) throws(DaemonError) -> SocketFile {
        // A zero byte would end the path early.
        guard (1...107).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw .path(path, "a socket's path must have 1 to 107 bytes")
        }
        if !isBound(socket, path) {
            let number = errno
            guard number == EADDRINUSE else { throw .path(path, number) }
            try removeStale(path)
            guard isBound(socket, path) else { throw .path(path, errno) }
        }
        guard unsafe chmod(path, S_IRUSR | S_IWUSR) == 0, let identity = FileIdentity(of: path) else {
            throw .path(path, errno)
        }
        return SocketFile(path: path, identity: identity)
    }

    /// Removes the file, unless another file has replaced it.
    func remove() {
        if FileIdentity(of: path) == identity { unsafe _ = unlink(path) }
    }

    private static func removeStale(_ path: String) throws(DaemonError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw .path(path, "the file there is not a socket")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        let isServed = unsafe UnixAddress.with(path) { unsafe connect(probe, $0, $1) } == 0
        guard !isServed, errno == ECONNREFUSED else { throw .path(path, "another process already listens there") }
        unsafe _ = unlink(path)
    }

    private static func isBound(_ socket: Int32, _ path: String) -> Bool {
        unsafe UnixAddress.with(path) { unsafe Glibc.bind(socket, $0, $1) } == 0
    }
}
