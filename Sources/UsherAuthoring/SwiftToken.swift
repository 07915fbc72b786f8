/// A token of Swift source: a name, a literal or a mark; comments are not tokens.
package struct SwiftToken: Equatable, Sendable {
    /// The kinds of tokens.
    package enum Kind: Sendable {
        /// An identifier, a keyword, or a name in backticks.
        case name
        case number
        /// The literal of a string or a regular expression; the tokens of interpolations follow it.
        case literal
        /// One character of punctuation or of an operator.
        case mark
    }

    package let kind: Kind
    /// The token's text, without backticks for a name; empty for a string, and a slash for a regular expression.
    package let text: String
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int

    func isMark(_ text: String) -> Bool { kind == .mark && self.text == text }

    func isName(_ text: String) -> Bool { kind == .name && self.text == text }
}

/// An error for Swift source with an unterminated element, such as a comment.
package struct SwiftSourceError: Error, Equatable, CustomStringConvertible {
    /// The line on which the unterminated element begins.
    package let line: Int
    /// The mistake, in one clause.
    package let description: String
}

/// A Swift file as tokens, with its imports.
package struct SwiftSource: Sendable {
    package let tokens: [SwiftToken]
    /// The lines in which a comment, there or alone in the line above, allows findings.
    package let allowedLines: Set<Int>
    /// The modules that the file imports as a whole.
    package let imports: Set<String>

    /// Creates the tokens of a file.
    package init(_ bytes: [UInt8]) throws(SwiftSourceError) {
        var lexer = SwiftLexer(bytes)
        try lexer.read()
        self.init(tokens: lexer.tokens, allowedLines: lexer.allowedLines)
    }

    init(tokens: [SwiftToken], allowedLines: Set<Int>) {
        self.tokens = tokens
        self.allowedLines = allowedLines
        imports = Self.imports(in: tokens)
    }

    private static let kindsOfImports: Set<String> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]

    private static func imports(in tokens: [SwiftToken]) -> Set<String> {
        var modules: Set<String> = []
        for (index, token) in tokens.enumerated() where token.isName("import") {
            guard index + 1 < tokens.count, index == 0 || !tokens[index - 1].isMark(".") else { continue }
            let module = tokens[index + 1]
            // `import class UIKit.UIColor` imports one name, and none of the globals.
            guard module.kind == .name, !kindsOfImports.contains(module.text) else { continue }
            modules.insert(module.text)
        }
        return modules
    }
}
