import Testing
import UsherJSON

/// A type that calls all methods of the containers itself.
private struct Manual: Decodable {
    enum Key: String, CodingKey { case list, object, flag, base }

    var seen: [String] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        seen.append(container.allKeys.map(\.rawValue).joined(separator: "+"))
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        seen.append("\(list.count ?? -1)")
        if try list.decodeNil() { seen.append("null") }
        if try !list.decodeNil() { seen.append("not null") }
        seen.append(try list.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .flag))
        var inner = try list.nestedUnkeyedContainer()
        seen.append("\(try inner.decode(Bool.self)) \(try inner.decode(Float.self)) \(inner.isAtEnd)")
        let last = try list.superDecoder()
        seen.append(last.codingPath.map(\.stringValue).joined(separator: "/"))
        seen.append(try last.singleValueContainer().decode(String.self))
        seen.append("\(list.isAtEnd) \(list.currentIndex)")
        let object = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
        seen.append("\(object.contains(.flag)) \(try object.decodeNil(forKey: .flag)) \(object.contains(.list))")
        seen.append(try String(from: container.superDecoder(forKey: .base)))
    }
}

/// A type that reads the names of an object, but no values.
private struct Names: Decodable {
    var names: [String]

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
    }
}

private enum Unit: String, Codable { case K }

private enum Scale: Codable { case K }

private enum Level: Int, Codable, CaseIterable { case low = 1, high }

private struct Forgiving: Decodable {
    var even: Int?
    var odd: Int?

    private struct Odd: Error, CustomStringConvertible {
        var description: String { "an odd thing" }
    }

    private struct Thrower: Decodable {
        init(from decoder: any Decoder) throws { throw Odd() }
    }

    private enum Key: CodingKey { case even, odd }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        even = (try? container.decode(Thrower.self, forKey: .even)) == nil ? 0 : 1
        _ = try container.decode([Int].self, forKey: .odd)
        _ = try container.decode(Thrower.self, forKey: .odd)
    }
}

@Suite struct CustomDecodingTests {
    @Test func `a custom init(from:) can read values from every kind of container`() throws {
        let text = #"{"list":[null,{"flag":"f"},[true,0.5],"end"],"object":{"flag":null},"base":"b"}"#
        #expect(
            try decode(Manual.self, text).seen == [
                "list+object+base", "4", "null", "not null", "f", "true 0.5 true", "list/3", "end", "true 4",
                "true true false", "b",
            ])
    }

    @Test(arguments: [
        (#"{"list":[null,{"flag":"f","list":1},[true,0.5],"end"],"object":{"flag":null},"base":"b"}"#, "/list/1"),
        (#"{"list":[null,{"flag":"f"},[true,0.5,1],"end"],"object":{"flag":null},"base":"b"}"#, "/list/2"),
        (#"{"list":[null,{"flag":"f"},[true,0.5],"end",1],"object":{"flag":null},"base":"b"}"#, "/list"),
        (#"{"list":[null,{"flag":"f"},[true,0.5],"end"],"object":{"flag":null,"x":1},"base":"b"}"#, "/object"),
        (#"{"list":[null,{"flag":"f"},[true,0.5],"end"],"object":{"flag":null},"base":"b","x":1}"#, "the top level"),
    ])
    func `members and elements that a custom init(from:) does not read are refused`(text: String, place: String) {
        let error = #expect(throws: JSONError.self) { try decode(Manual.self, text) }
        #expect(error?.place == place)
    }

    @Test func `an enum case that is decoded only by its name is refused if the case has a payload`() throws {
        #expect(try decode(Names.self, #"{"a":{}}"#).names == ["a"])
        #expect(try decode(Names.self, #""a""#).names == ["a"])
        #expect(
            sentence { () throws(JSONError) in try decode([Names].self, #"[{"a":5}]"#) }
                == #"the case "a" takes no payload: expected {} at /0/a"#)
        #expect(
            sentence { () throws(JSONError) in try decode(Names.self, #"{"a":{},"b":{}}"#) }
                == #"expected one case, found "a", "b" at the top level"#)
    }

    @Test func `the name of an enum case is compared byte for byte`() throws {
        _ = try decode(Scale.self, #""K""#)
        // The Kelvin sign is canonically equivalent to the letter K.
        for text in ["\"\u{212A}\"", "{\"\u{212A}\":{}}"] {
            #expect(throws: JSONError.self) { try decode(Scale.self, text) }
        }
    }

    @Test func `if the known raw values can be listed, the message for an unknown raw value lists them`() {
        #expect(
            sentence { () throws(JSONError) in try decode([Level].self, "[1,2,3]") }
                == #"unknown case "3"; expected one of "1", "2" at /2"#)
        #expect(
            sentence { () throws(JSONError) in try decode([Unit].self, #"["k"]"#) }
                == #"unknown case "k" at /0"#)
    }

    @Test func `dictionaries whose keys are not strings are decoded`() throws {
        #expect(try decode([Int: String].self, #"{"1":"a","-2":"b"}"#) == [1: "a", -2: "b"])
        #expect(try decode([Bool: Int].self, "[true,1,false,0]") == [true: 1, false: 0])
        #expect(throws: JSONError.self) { try decode([Int: String].self, #"{"x":"a"}"#) }
        #expect(throws: JSONError.self) { try decode([Bool: Int].self, "[true,1,false]") }
    }

    @Test func `a decoding error names the place of the value that caused the error`() {
        #expect(
            sentence { () throws(JSONError) in try decode([Forgiving].self, #"[{"even":1,"odd":[1]}]"#) }
                == "an odd thing at /0/odd")
    }
}
