import Glibc

/// An exclusive lock on a file, which ends with its holder, or with the process, however that dies.
package final class FileLock: Sendable {
    private let descriptor: Descriptor

    /// Takes the lock without waiting; the file is made where there is none, for its owner alone.
    ///
    /// - Parameter path: The file.
    /// - Throws: `SystemError`.
    package init(at path: String) throws(SystemError) {
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError("lock the file", path) }
        descriptor = Descriptor(taking: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw SystemError("lock the file", path) }
    }
}

extension SystemError {
    /// A Boolean value indicating whether another has the lock; otherwise the file cannot be written.
    package var isHeld: Bool { number == EWOULDBLOCK }
}
