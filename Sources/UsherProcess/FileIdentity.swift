import Glibc

/// The identity of a file, whatever its name: no other file has it while somebody has this one open.
package struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Reads the identity of the file at a path, which may be a link; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
