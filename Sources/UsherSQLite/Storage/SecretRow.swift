/// The content of a row that holds a secret, as it is stored.
///
/// When SQLite splits and merges pages it leaves copies of rows in the gaps between, also with `secure_delete`. It never
/// moves what of a row does not fit into a page of the tree, though: that is on pages of its own, which are overwritten
/// when the row goes. So a secret stands behind more zeros than a page of the tree takes of a row.
enum SecretRow {
    /// Of a page of 4096 bytes a row gets at most 1002.
    private static let zeros = 1024

    static func wrapping(_ content: [UInt8]) -> [UInt8] {
        Array(repeating: 0, count: zeros) + content
    }

    /// The content that was wrapped, or a row as it is: none begins with a zero.
    static func unwrapping(_ content: [UInt8]) -> [UInt8] {
        guard content.first == 0, content.count > zeros else { return content }
        return Array(content.dropFirst(zeros))
    }
}
