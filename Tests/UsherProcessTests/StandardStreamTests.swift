import Testing

@testable import UsherProcess

@Suite("The standard streams")
struct StandardStreamTests {
    @Test func `control characters in standard error are escaped, except tabs and line feeds`() {
        #expect(StandardStream.error.shown("a\tb\n\u{1B}[2J\r\u{85}") == "a\tb\n\\u001b[2J\\u000d\\u0085")
    }

    @Test(.disabled(if: StandardStream.output.isTerminal, "standard output is a terminal"))
    func `standard output to a file or to another program is not changed`() {
        #expect(StandardStream.output.shown("\u{1B}[2J\u{2028}") == "\u{1B}[2J\u{2028}")
    }
}
