import Glibc

/// The identity of a file, which does not depend on its name; unique while any process has the file open.
package struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Reads the identity of the file at a path without following a link; nil if there is no file.
    package init?(of path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
