import Testing
import UsherJSON

@Suite("The meaning of a JSON text")
struct MeaningTests {
    @Test(arguments: [
        (#"{"a":1,"b":[true,null]}"#, #" { "b" : [ true , null ] , "a" : 1 } "#),
        (#""\u0041\u00e9\/""#, "\"A\u{E9}/\""), ("1", "1.0"), ("100", "1e2"), ("0", "-0.0"), ("-1.50", "-15E-1"),
        (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"x":1}}"#), ("[]", "[ ]"),
    ])
    func `two texts for the same value have the same meaning`(one: String, other: String) throws {
        #expect(try meaning(one) == meaning(other))
    }

    @Test func `texts for different values have different meanings`() throws {
        let texts = [
            "{}", "[]", "\"\"", "0", "1", "-1", "10", "0.1", "1.5", "true", "false", "null", "\"0\"", "\"true\"",
            "\"null\"",
            "[0]", "[[]]", "[[],[]]", "[[[]]]", "[1,2]", "[2,1]", "[12]", #"["ab"]"#, #"["a","b"]"#, #"{"a":1}"#,
            #"{"a":"1"}"#, #"{"a":null}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#, #"{"a":{},"b":1}"#, #"{"ab":1}"#,
            "1e100", "1e101", "\"A\"", "\"a\"",
        ]
        #expect(Set(try texts.map(meaning)).count == texts.count)
    }

    private func meaning(_ text: String) throws -> UInt64 {
        try JSONDocument(parsing: Array(text.utf8)).root.meaning
    }
}
