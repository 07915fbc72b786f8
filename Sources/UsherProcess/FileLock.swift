import Glibc

/// An exclusive lock on a file, which is released when this object is deallocated or the process ends.
package final class FileLock: Sendable {
    private let descriptor: Descriptor

    /// Acquires the lock without waiting; creates the file with mode 0600 if the file does not exist.
    package init(at path: String) throws(SystemError) {
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError("lock the file", path) }
        descriptor = Descriptor(taking: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw SystemError("lock the file", path) }
    }
}

extension SystemError {
    /// A Boolean value indicating whether another process holds the lock; otherwise the file cannot be used.
    package var isHeld: Bool { number == EWOULDBLOCK }
}
