import Testing
import UsherJSON

/// Tests of a document's values and limits.
@Suite struct DocumentTests {
    @Test func `the values of a parsed document have the kinds and contents of its text`() throws {
        let root = try parse(#" {"a": [1, -2.5, "x", true, null, {}], "b": 9223372036854775808} "#)
        #expect(root.kind == .object)
        #expect(root.members.map(\.name) == ["a", "b"])
        #expect(root.elements.map(\.kind).isEmpty)
        let list = try #require(root[member: "a"])
        #expect(list.kind == .array)
        #expect(list.elements.map(\.kind) == [.number, .number, .string, .boolean, .null, .object])
        #expect(list.elements.map(\.integer) == [1, nil, nil, nil, nil, nil])
        #expect(list.elements.map(\.string) == [nil, nil, "x", nil, nil, nil])
        #expect(list.elements.map(\.boolean) == [nil, nil, nil, true, nil, nil])
        #expect(
            list.elements.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "1", "-2.5", "\"x\"", "true", "null", "{}",
            ])
        #expect(String(decoding: list.bytes, as: UTF8.self) == #"[1, -2.5, "x", true, null, {}]"#)
        #expect(list.members.map(\.name).isEmpty)
        #expect(list[member: "a"] == nil)
        #expect(root[member: "b"]?.integer == nil)
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("1.0", 1),
        ("-20.00e-1", -2), ("1e2", 100), ("0.0", 0), ("-0e999999999999999999999", 0), ("0.5e1", 5), ("10e-1", 1),
        ("1.5", nil), ("1e-1", nil), ("1e19", nil), ("1e999999999999999999999", nil),
        ("9223372036854775807.0", Int.max), ("9223372036854775808.0", nil),
        ("9223372036854775808", nil), ("-9223372036854775809", nil), ("99999999999999999999999999", nil),
        ("\"1\"", nil),
    ])
    func `a number is converted to an integer if the result is exact, and to nil otherwise`(text: String, integer: Int?)
        throws
    {
        #expect(try parse(text).integer == integer)
    }

    @Test func `a place in a document is written as a JSON Pointer`() throws {
        let root = try parse(#"{"a/b":{"m~n":[0,[1,{"":2}]]},"z":3}"#)
        #expect(root.place == "the top level")
        #expect(root[member: "z"]?.place == "/z")
        let list = try #require(root[member: "a/b"]?[member: "m~n"])
        #expect(list.place == "/a~1b/m~0n")
        let inner = try #require(list.elements.map(\.self).last)
        #expect(inner.elements.map(\.place) == ["/a~1b/m~0n/1/0", "/a~1b/m~0n/1/1"])
        #expect(inner.elements.map(\.self).last?[member: ""]?.place == "/a~1b/m~0n/1/1/")
        #expect(list.error("odd").description == "odd at /a~1b/m~0n")
    }

    @Test(arguments: [
        (#"{"a":1,"a":1}"#, #"duplicate member "a" at the top level"#),
        (#"{"a":1,"b":2,"":3,"":4}"#, #"duplicate member "" at the top level"#),
        (#"[{},{"x":{"a":1,"b":{},"a":[]}}]"#, #"duplicate member "a" at /1/x"#),
        (#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"a":10}"#, #"duplicate member "a" at the top level"#),
        (
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"\u0061":10}"#,
            #"duplicate member "a" at the top level"#
        ),
    ])
    func `an object with duplicate members is refused`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try parse(text) } == error)
        #expect(throws: JSONError.self) { try parse(text) }
    }

    @Test func `an object with 8,000 members is read, and a duplicate among 8,000 members is refused`() throws {
        let members = (0..<8000).map { "\"k\($0)\":\($0 % 10)" }.joined(separator: ",")
        let object = try parse("{\(members)}")
        #expect(object.members.count { _ in true } == 8000)
        #expect(try object.decode([String: Int].self).count == 8000)
        let error = #expect(throws: JSONError.self) { try parse("{\(members),\"k4711\":0}") }
        #expect(error?.description == #"duplicate member "k4711" at the top level"#)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func `64 levels of nesting are accepted, and 65 are refused`(open: String, close: String) throws {
        func nest(_ levels: Int) -> String {
            String(repeating: open, count: levels) + "0" + String(repeating: close, count: levels)
        }
        #expect(try parse(nest(64)).kind != .number)
        let error = #expect(throws: JSONError.self) { try parse(nest(65)) }
        #expect(error?.reason == "more than 64 levels of nesting")
        #expect(error?.place == String(repeating: open == "[" ? "/0" : "/a", count: 64))
        #expect(throws: JSONError.self) { try parse(String(repeating: open, count: 100_000)) }
        #expect(try JSONDocument(written: Array(nest(512).utf8)).root.kind != .number)
        #expect(throws: JSONError.self) { try JSONDocument(written: Array(nest(513).utf8)) }
    }
}
