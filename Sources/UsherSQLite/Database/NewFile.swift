import Glibc

/// A file that is made only where there is none, for its owner alone.
enum NewFile {
    /// Makes a file.
    ///
    /// A file that is there already is not opened: to close it again would let go of the locks that this process has on
    /// it.
    ///
    /// - Returns: The system's error number; nil for success.
    static func make(_ path: String) -> Int32? {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return nil
    }

    /// True where there is nothing at a path.
    static func isMissing(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// The bytes of a file; nil where there is none, or nobody can tell.
    static func size(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// True where a file can be written, and others made beside it.
    static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0 && isDirectoryWritable(of: path)
    }

    /// The system's error number for who would read a file, or write it too; nil where nothing is in the way, or no file.
    static func obstacle(to path: String, writing: Bool) -> Int32? {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return EISDIR }
        guard unsafe access(path, writing ? R_OK | W_OK : R_OK) != 0, errno != ENOENT else { return nil }
        return errno
    }

    /// True where files can be made beside one.
    static func isDirectoryWritable(of path: String) -> Bool {
        unsafe access(directory(of: followingLinks(path)), W_OK | X_OK) == 0
    }

    /// The path of the file itself, also of one that is not there yet, where a path is a symbolic link.
    static func followingLinks(_ path: String) -> String {
        var path = path
        // As many as the system follows.
        for _ in 0..<40 {
            guard let target = target(of: path) else { break }
            path = target.hasPrefix("/") ? target : "\(directory(of: path))/\(target)"
        }
        return path
    }

    private static func target(of link: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(link, &target, target.count)
        guard count > 0 else { return nil }
        return String(decoding: target.prefix(count).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The directory that a path is in.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The system's words for an error number.
    static func reason(_ number: Int32) -> String {
        unsafe String(cString: strerror(number))
    }
}

/// The two bytes of a database's header that tell if it has a write-ahead log (SQLite's file format, section 1.3.3).
enum FileVersions {
    static let offset = 18
    static let withoutLog: [UInt8] = [1, 1]
}
