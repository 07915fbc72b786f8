/// The stored content of a row with a secret.
///
/// When SQLite splits and merges pages, it leaves copies of rows in the gaps, even with `secure_delete`. It never moves
/// the part of a row that does not fit into a page of the tree: this part is on separate pages, which are overwritten
/// when the row is deleted. The content therefore starts with more zeros than such a page can hold of a row, and the
/// secret follows them.
enum SecretRow {
    /// The number of zeros: more than the 1002 bytes of a row that fit into a page of 4096 bytes.
    private static let zeros = 1024

    static func wrapping(_ content: [UInt8]) -> [UInt8] {
        Array(repeating: 0, count: zeros) + content
    }

    /// Returns the content without its zeros; other rows stay unchanged, because none of them starts with a zero.
    static func unwrapping(_ content: [UInt8]) -> [UInt8] {
        guard content.first == 0, content.count > zeros else { return content }
        return Array(content.dropFirst(zeros))
    }
}
