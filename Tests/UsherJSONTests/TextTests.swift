import Testing
import UsherJSON

/// Tests of texts that are easily corrupted.
@Suite struct TextTests {
    @Test func `every Unicode scalar is unchanged after writing and reading it`() throws {
        let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: scalars.count, by: 4096) {
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars[start..<min(start + 4096, scalars.count)])
            let read = try decode(String.self, encode(text))
            #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test(arguments: [
        ("", #""""#), ("\u{0}", #""\u0000""#), ("\u{1F}", #""\u001f""#), ("\u{1B}\u{10}", #""\u001b\u0010""#),
        ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#), ("\"\\/", #""\"\\/""#), ("\u{7F}\u{2028}", "\"\u{7F}\u{2028}\""),
        ("\u{1F469}\u{200D}\u{1F680}", "\"\u{1F469}\u{200D}\u{1F680}\""), ("e\u{301}", "\"e\u{301}\""),
        (
            "a long text that is no small string, with a \n in it",
            #""a long text that is no small string, with a \n in it""#
        ),
    ])
    func `only characters that JSON requires to be escaped are escaped`(text: String, json: String) throws {
        #expect(try Array(encode(text).utf8) == Array(json.utf8))
        #expect(try Array(decode(String.self, json).utf8) == Array(text.utf8))
    }

    @Test func `every kind of escape in a string is decoded`() throws {
        let text = try decode(String.self, #""\u0041\u00e9\u20AC\ud83d\uDE00\/\"\\\u0000z""#)
        #expect(Array(text.utf8) == Array("A\u{E9}\u{20AC}\u{1F600}/\"\\\u{0}z".utf8))
    }

    @Test func `member names that are canonically equivalent but have different bytes are different members`() throws {
        let object = try parse("{\"\u{E9}\":1,\"e\u{301}\":2,\"\":3,\"a\\u0000\":4,\"a\":5}")
        #expect(object[member: "\u{E9}"]?.integer == 1)
        #expect(object[member: "e\u{301}"]?.integer == 2)
        #expect(object[member: ""]?.integer == 3)
        #expect(object[member: "a\u{0}"]?.integer == 4)
        #expect(object[member: "a"]?.integer == 5)
        #expect(object[member: "b"] == nil)
    }

    @Test func `member names are compared after their escapes are decoded`() throws {
        #expect(try parse(#"{"\u0061\n":1}"#)[member: "a\n"]?.integer == 1)
        #expect(
            sentence { () throws(JSONError) in try parse(#"{"x":[{"ab":1,"a\u0062":2}]}"#) }
                == #"duplicate member "ab" at /x/0"#)
    }
}
