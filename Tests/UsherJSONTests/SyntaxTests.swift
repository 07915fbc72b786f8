import Testing
import UsherJSON

/// Tests of RFC 8259, section by section: the legal texts, and the illegal texts with the place of the error.
@Suite struct SyntaxTests {
    @Test(arguments: [
        "{}", "[]", "\"\"", "0", "-0", "1", "-1", "10", "1.5", "-0.25", "1e3", "1E+3", "1e-3", "0e0", "1.0e05", "true",
        "false", "null", " \t\r\n1 \t\r\n", "[ 1 , 2 ]", "{ \"a\" : 1 , \"b\" : [ ] }", "\"\\u0000\"", "\"\u{7F}\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\ud83d\\ude00\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"\u{2028}\"",
        "{\"\":1}", "{\"a\":{\"a\":1}}", "[[1],[1]]", "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"a\":1,\"A\":2}",
    ])
    func `valid JSON is accepted`(text: String) throws {
        _ = try parse(text)
    }

    @Test(arguments: [
        ("", "expected a value, found the end of the text at line 1, column 1"),
        (" ", "expected a value, found the end of the text at line 1, column 2"),
        ("{", "expected a member's name in quotation marks, found the end of the text at line 1, column 2"),
        ("[", "expected a value, found the end of the text at line 1, column 2"),
        ("[1", "expected a comma or \"]\", found the end of the text at line 1, column 3"),
        ("[1,]", "a trailing comma is not allowed at line 1, column 3"),
        ("{\"a\":1,}", "a trailing comma is not allowed at line 1, column 7"),
        ("[,1]", "expected a value, found \",\" at line 1, column 2"),
        ("[1 2]", "expected a comma or \"]\", found \"2\" at line 1, column 4"),
        ("[1}", "expected a comma or \"]\", found \"}\" at line 1, column 3"),
        ("{\"a\" 1}", "expected a colon, found \"1\" at line 1, column 6"),
        ("{\"a\":}", "expected a value, found \"}\" at line 1, column 6"),
        ("{a:1}", "expected a member's name in quotation marks, found \"a\" at line 1, column 2"),
        ("{1:1}", "expected a member's name in quotation marks, found \"1\" at line 1, column 2"),
        ("{'a':1}", "expected a member's name in quotation marks, found \"'\" at line 1, column 2"),
        ("'a'", "expected a value, found \"'\" at line 1, column 1"),
        ("// a\n1", "expected a value, found \"/\" at line 1, column 1"),
        ("1 /* a */", "expected the end of the text, found \"/\" at line 1, column 3"),
        ("1 2", "expected the end of the text, found \"2\" at line 1, column 3"),
        ("{}}", "expected the end of the text, found \"}\" at line 1, column 3"),
        ("\u{FEFF}1", "a byte order mark is not allowed at line 1, column 1"),
        ("\u{A0}1", "expected a value, found the byte 0xC2 at line 1, column 1"),
        ("\u{0C}1", "expected a value, found the byte 0x0C at line 1, column 1"),
        ("\u{0}", "expected a value, found the byte 0x00 at line 1, column 1"),
        ("[\n1,\n  x]", "expected a value, found \"x\" at line 3, column 3"),
        ("[\"\u{1F600}\u{E9}\",x]", "expected a value, found \"x\" at line 1, column 7"),
    ])
    func `invalid JSON is refused, with the place of the error`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try parse(text) } == error)
    }

    @Test(arguments: [
        ("01", "a leading zero is not allowed at line 1, column 2"),
        ("-01", "a leading zero is not allowed at line 1, column 3"),
        ("+1", "expected a value, found \"+\" at line 1, column 1"),
        (".5", "expected a value, found \".\" at line 1, column 1"),
        ("1.", "expected a digit, found the end of the text at line 1, column 3"),
        ("1.e1", "expected a digit, found \"e\" at line 1, column 3"),
        ("1e", "expected a digit, found the end of the text at line 1, column 3"),
        ("1e+", "expected a digit, found the end of the text at line 1, column 4"),
        ("-", "expected a digit, found the end of the text at line 1, column 2"),
        ("--1", "expected a digit, found \"-\" at line 1, column 2"),
        ("0x10", "expected the end of the text, found \"x\" at line 1, column 2"),
        ("1_000", "expected the end of the text, found \"_\" at line 1, column 2"),
        ("NaN", "expected a value, found \"N\" at line 1, column 1"),
        ("Infinity", "expected a value, found \"I\" at line 1, column 1"),
        ("-Infinity", "expected a digit, found \"I\" at line 1, column 2"),
        ("True", "expected a value, found \"T\" at line 1, column 1"),
        ("tru", "expected true, found the end of the text at line 1, column 4"),
        ("nul1", "expected null, found \"1\" at line 1, column 4"),
        ("falsey", "expected the end of the text, found \"y\" at line 1, column 6"),
    ])
    func `an invalid number or word is refused`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try parse(text) } == error)
    }

    @Test(arguments: [
        ("\"", "expected the string's closing quotation mark, found the end of the text at line 1, column 2"),
        ("\"\\\"", "expected the string's closing quotation mark, found the end of the text at line 1, column 4"),
        ("\"\n\"", "a control character in a string must be escaped, found the byte 0x0A at line 1, column 2"),
        ("\"\t\"", "a control character in a string must be escaped, found the byte 0x09 at line 1, column 2"),
        ("\"\u{0}\"", "a control character in a string must be escaped, found the byte 0x00 at line 1, column 2"),
        ("\"\u{1F}\"", "a control character in a string must be escaped, found the byte 0x1F at line 1, column 2"),
        ("\"\\x\"", "expected an escape such as \\n after the backslash, found \"x\" at line 1, column 3"),
        ("\"\\", "expected an escape such as \\n after the backslash, found the end of the text at line 1, column 3"),
        ("\"\\U0041\"", "expected an escape such as \\n after the backslash, found \"U\" at line 1, column 3"),
        ("\"\\u004\"", "expected a hexadecimal digit, found a quotation mark at line 1, column 7"),
        ("\"\\u00g0\"", "expected a hexadecimal digit, found \"g\" at line 1, column 6"),
        ("\"\\ud800\"", "a surrogate escape must be one of a pair at line 1, column 2"),
        ("\"\\udc00\"", "a surrogate escape must be one of a pair at line 1, column 2"),
        ("\"\\udc00\\ud800\"", "a surrogate escape must be one of a pair at line 1, column 2"),
        ("\"\\ud800\\ud800\"", "a surrogate escape must be one of a pair at line 1, column 2"),
        ("\"\\ud800\\u0041\"", "a surrogate escape must be one of a pair at line 1, column 2"),
        ("\"\\ud800\\n\"", "a surrogate escape must be one of a pair at line 1, column 2"),
    ])
    func `an invalid string is refused`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try parse(text) } == error)
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func `invalid UTF-8 is refused`(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        for text in [[quote] + bytes + [quote], [quote] + bytes] {
            #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
        }
    }
}
