import Glibc

/// An exclusive lock on a file, which ends with its holder, or with the process, however that dies.
package final class FileLock: Sendable {
    private let descriptor: Descriptor

    /// Takes the lock without waiting; the file is made where there is none, for its owner alone.
    ///
    /// - Parameter path: The file.
    /// - Throws: `FileLockError`.
    package init(at path: String) throws(FileLockError) {
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw FileLockError(path: path, number: errno) }
        descriptor = Descriptor(taking: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw FileLockError(path: path, number: errno) }
    }
}

/// The reason why a lock on a file cannot be had.
package struct FileLockError: Error, Equatable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// The system's error number.
    package let number: Int32

    /// True where another has the lock; else the file cannot be written.
    package var isHeld: Bool { number == EWOULDBLOCK }

    /// One sentence with the system's reason.
    package var description: String { "cannot lock the file \(path): \(unsafe String(cString: strerror(number)))" }
}
