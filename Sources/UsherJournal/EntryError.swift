/// Why bytes are no entry.
public enum EntryError: Error, Equatable, Sendable {
    /// They end too early.
    case truncated
    /// They were changed after they were written.
    case checksum
    /// They were written by a newer build.
    case version(UInt8)
    /// They say something that no build writes.
    case malformed
}
