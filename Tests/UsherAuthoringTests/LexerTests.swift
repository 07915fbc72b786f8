import Testing
import UsherAuthoring

@Suite("Swift source as tokens")
struct LexerTests {
    @Test(arguments: [
        ("a // b", "a"), ("a /* b /* c */ d */ e", "a e"), ("#!/usr/bin/swift b\na", "a"),
        (#"a "b // c" d"#, "a · d"), (##"a #"b " c"# d"##, "a · d"), (#"a "b \" c" d"#, "a · d"),
        (#"a "\(b("c"))" d"#, "a · b ( · ) · d"), (##"a #"\(b) \#(c)"# d"##, "a · c · d"),
        ("a \"\"\"\nb \" c\n\\(d)\n\"\"\" e", "a · d · e"), (##"a #"""# b"##, "a · b"),
        ("x = /a\"b/ y", "x = · y"), ("x / y / z", "x / y / z"), ("f(/[/\"]/)", "f ( · )"), ("#/a\"/# b", "· b"),
        ("`class` a", "class a"), ("1.5.b 0x1F", "1.5 . b 0x1F"), ("a.\nb", "a . b"), ("größe 🎈", "größe 🎈"),
        ("#if os(iOS)", "# if os ( iOS )"),
    ])
    func `the lexer distinguishes code, comments and literals`(source: String, tokens: String) throws {
        let found = try SwiftSource(Array(source.utf8)).tokens.map { $0.kind == .literal ? "·" : $0.text }
        #expect(found.joined(separator: " ") == tokens)
    }

    @Test(arguments: [
        ("a\n/* b /* c */", 2, "a comment has no end"), ("\n\n\"a", 3, "a string has no end"),
        ("\"a\nb\"", 1, "a string has no end"), ("\"\"\"\na", 1, "a string has no end"),
        ("\"\\(a", 1, "an interpolation has no end"), ("#/a", 1, "a regular expression has no end"),
        ("##\"a\"#", 1, "a string has no end"),
    ])
    func `the lexer reports an unterminated comment or literal with its first line`(
        source: String, line: Int, words: String
    )
        throws
    {
        let error = try #require(throws: SwiftSourceError.self) { try SwiftSource(Array(source.utf8)) }
        #expect(error.line == line)
        #expect(error.description == words)
    }

    @Test func `the lexer refuses interpolations that are nested too deeply`() {
        let source = String(repeating: "\"\\(", count: 100_000)
        #expect(throws: SwiftSourceError.self) { try SwiftSource(Array(source.utf8)) }
    }

    @Test func `a token has its line and column`() throws {
        let tokens = try SwiftSource(Array("a\n  \"é\" b".utf8)).tokens
        #expect(tokens.map(\.line) == [1, 2, 2])
        #expect(tokens.map(\.column) == [1, 3, 8])
    }

    @Test(arguments: [
        ("import UIKit", ["UIKit"]), ("@testable import Shop\nimport class UIKit.UIColor", ["Shop"]),
        ("public import Foundation\n#if canImport(UIKit)\nimport UIKit\n#endif", ["Foundation", "UIKit"]),
        ("// import UIKit\nlet a = \"import Foundation\"", []), ("import UIKit.UIView", ["UIKit"]),
    ])
    func `the lexer finds imported modules, even if only a single declaration is imported`(
        source: String, modules: [String]
    )
        throws
    {
        #expect(try SwiftSource(Array(source.utf8)).imports == Set(modules))
    }

    @Test func `the lexer reads or refuses every text, and never traps`() {
        // Every prefix of a text with all kinds of literals is parsed or rejected.
        let source = Array("a /* /* */ */ \"\\(b(\"c\"))\" #\"\\#(d)\"# /e/ #/f/# `g` \"\"\"\n\\(h)\n\"\"\" 1.5 é".utf8)
        for count in 0...source.count {
            for byte in [UInt8(0), 0x0A, 0x22, 0x2F, 0x5C, 0xFF] {
                _ = try? SwiftSource(Array(source[..<count]) + [byte])
            }
        }
    }
}
