/// A text that equals only texts of the same bytes, as in a database.
///
/// `String` also equals the same characters in another normal form of Unicode, which may be the name of another user.
package struct ExactText: Hashable {
    private let text: String

    /// Creates the exact text of a string.
    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
