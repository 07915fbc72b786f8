/// A copy of a journal.
package struct Backup: Equatable, Sendable {
    /// Where it is on the server's disk.
    package let path: String
    /// How large it is, in bytes.
    package let size: Int

    /// Makes a backup's description.
    ///
    /// - Parameters:
    ///   - path: Where it is on the server's disk.
    ///   - size: How large it is, in bytes.
    package init(path: String, size: Int) {
        self.path = path
        self.size = size
    }
}
