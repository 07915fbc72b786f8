import Glibc

/// Creates files that only their owner may access, and examines paths.
enum NewFile {
    /// Creates a file; returns the system's error number, or nil if the file was created.
    ///
    /// An existing file is not opened, because closing it would release this process's locks on the file.
    static func make(_ path: String) -> Int32? {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return nil
    }

    static func isMissing(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == ENOENT
    }

    /// Returns the size of a file in bytes; nil if the file does not exist or cannot be examined.
    static func size(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns a Boolean value that indicates whether a file is writable and other files can be created beside it.
    static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0 && isDirectoryWritable(of: path)
    }

    /// Returns the error number with which opening a file fails; nil if the file can be opened or does not exist.
    static func obstacle(to path: String, writing: Bool) -> Int32? {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return EISDIR }
        guard unsafe access(path, writing ? R_OK | W_OK : R_OK) != 0, errno != ENOENT else { return nil }
        return errno
    }

    static func isDirectoryWritable(of path: String) -> Bool {
        unsafe access(directory(of: followingLinks(path)), W_OK | X_OK) == 0
    }

    /// Resolves symbolic links at the end of a path, even if the target does not exist.
    static func followingLinks(_ path: String) -> String {
        var path = path
        // The operating system also follows at most 40 links.
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

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func reason(_ number: Int32) -> String {
        unsafe String(cString: strerror(number))
    }
}

/// The two bytes of a database's header that say whether the database uses a log (SQLite's file format, section 1.3.3).
enum FileVersions {
    static let offset = 18
    static let withoutLog: [UInt8] = [1, 1]
}
