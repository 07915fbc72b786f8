/// Converts the content of a row with a secret to its stored form and back.
///
/// When SQLite splits and merges pages, SQLite leaves copies of rows in unused parts of pages, even with
/// `secure_delete`. But SQLite never moves the part of a row that does not fit into a page of the tree. This part is on
/// separate pages, which are overwritten when the row is deleted. The stored content therefore starts with so many
/// zeros that the secret after them is on such separate pages.
enum SecretRow {
    /// The number of zeros: more than the 1002 bytes of a row that fit into a page of 4096 bytes.
    private static let zeros = 1024

    static func wrapping(_ content: [UInt8]) -> [UInt8] {
        Array(repeating: 0, count: zeros) + content
    }

    /// Returns the content without its zeros; other rows' content, which does not start with a zero, stays unchanged.
    static func unwrapping(_ content: [UInt8]) -> [UInt8] {
        guard content.first == 0, content.count > zeros else { return content }
        return Array(content.dropFirst(zeros))
    }
}
