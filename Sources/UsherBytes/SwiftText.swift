extension String {
    /// The text as a single-line string literal.
    package var swiftLiteral: String {
        let characters = unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.isControl: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }

    /// The text, which must be an identifier, in backticks if it is a keyword of Swift.
    package var swiftIdentifier: String { Self.swiftWords.contains(self) ? "`\(self)`" : self }

    private static let swiftWords: Set<String> = [
        "Any", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]
}
