/// A text that is equal only to texts with the same bytes, as in a database.
///
/// Two `String`s with different bytes can be equal, if they are different Unicode normal forms of the same characters.
/// Such texts may be the names of two users.
package struct ExactText: Hashable {
    private let text: String

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
