/// Why the bytes of a row are no entry, head or answer.
package enum EntryError: Error, Equatable, Sendable {
    /// They end too early.
    case truncated
    /// They were changed after they were written, or belong to another session.
    case checksum
    /// They were written by a newer build.
    case version(UInt8)
    /// They say something that no build writes.
    case malformed
    /// A row is missing, or there is one too many.
    case incomplete
}

extension EntryError: CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    package var description: String {
        switch self {
        case .truncated: "a row ends too early"
        case .checksum: "a row was changed after it was written"
        case .version(let version): "a row is of format \(version), which is newer than this build"
        case .malformed: "a row says what no build writes"
        case .incomplete: "rows are missing"
        }
    }
}
