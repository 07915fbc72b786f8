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

    /// True where files can be made beside one.
    static func isDirectoryWritable(of path: String) -> Bool {
        unsafe access(directory(of: path), W_OK | X_OK) == 0
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
