import Glibc

/// Folders on this machine.
package enum Folder {
    /// A folder that cannot be made.
    package struct MakingError: Error, Equatable, CustomStringConvertible {
        /// What could not be made.
        package let path: String
        /// The system's error number.
        package let number: Int32

        /// One sentence with the system's reason.
        package var description: String {
            "cannot make the directory \(path): \(unsafe String(cString: strerror(number)))"
        }
    }

    /// Makes a folder and those above it that are missing, for their owner alone.
    ///
    /// - Parameter path: The folder; one that is there stays as it is.
    /// - Throws: `MakingError`.
    package static func make(_ path: String) throws(MakingError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex {
            try makeOne(String(path[..<end]))
        }
        try makeOne(path)
    }

    private static func makeOne(_ path: String) throws(MakingError) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let number = errno
        // Above what cannot be written there may be what is there all the same.
        guard unsafe access(path, F_OK) != 0 else { return }
        throw MakingError(path: path, number: number)
    }
}
