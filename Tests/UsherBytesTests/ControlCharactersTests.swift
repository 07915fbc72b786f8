import Testing
import UsherBytes

@Suite("Control characters")
struct ControlCharactersTests {
    @Test(arguments: [
        ("\u{0}", #"\u0000"#), ("\u{1B}", #"\u001b"#), ("\n", #"\u000a"#), ("\u{7F}", #"\u007f"#),
        ("\u{80}", #"\u0080"#),
        ("\u{85}", #"\u0085"#), ("\u{9F}", #"\u009f"#), ("\u{2028}", #"\u2028"#), ("\u{2029}", #"\u2029"#),
        ("\u{202A}", #"\u202a"#), ("\u{202E}", #"\u202e"#), ("\u{2066}", #"\u2066"#), ("\u{2069}", #"\u2069"#),
    ])
    func `control characters are found and escaped as in JSON`(text: String, escaped: String) {
        #expect(text.hasControls)
        #expect("a\(text)b".escapingControls() == "a\(escaped)b")
        #expect("a\(text)b".escapingControls(except: text) == "a\(text)b")
    }

    @Test(arguments: [
        "", "kim", " ", "é", "e\u{301}", "\u{A0}", "שלום\u{200F}", "\u{1F468}\u{200D}\u{1F469}", "\u{2027}\u{202F}",
    ])
    func `visible characters, joiners and combining marks are not control characters`(text: String) {
        #expect(!text.hasControls)
        #expect(text.escapingControls() == text)
    }
}
