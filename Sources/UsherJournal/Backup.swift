/// A copy of a journal.
public struct Backup: Equatable, Sendable {
    /// Where it is on the server's disk.
    public let path: String
    /// How large it is, in bytes.
    public let size: Int

    /// Makes a backup's description.
    ///
    /// - Parameters:
    ///   - path: Where it is on the server's disk.
    ///   - size: How large it is, in bytes.
    public init(path: String, size: Int) {
        self.path = path
        self.size = size
    }
}
