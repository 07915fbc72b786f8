import Testing
import UsherJSON

private struct Login: Codable, Equatable {
    var name: String
    var age: Int?
    var tags: [String]?
}

private struct Body: Codable, Equatable {
    var login: Login
    var more: [String: Login]?
}

private struct Options: Codable {}

private struct Numbers: Decodable {
    var int8: Int8?
    var byte: UInt8?
    var word: UInt64?
    var long: Int64?
    var double: Double?
    var float: Float?
}

private struct Even: Decodable {
    struct Odd: Error, CustomStringConvertible {
        var description: String { "expected an even number" }
    }

    init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(Int.self).isMultiple(of: 2) else { throw Odd() }
    }
}

private struct Shout: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(String.self).hasSuffix("!") else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a shout")
        }
    }
}

private struct Point: Decodable, Equatable {
    var x, y: Int

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        x = try container.decode(Int.self)
        y = try container.decode(Int.self)
    }
}

private struct Lenient: Decodable, Equatable {
    var value: Int
    private enum Key: CodingKey { case value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        do {
            value = try container.decode(Int.self, forKey: .value)
        } catch DecodingError.typeMismatch {
            value = try container.decode([Int].self, forKey: .value).count
        }
    }
}

/// Tests that types are decoded strictly, and that errors name the problem and its place.
@Suite struct DecodingTests {
    @Test func `a struct is decoded from an object`() throws {
        let text = #"{"login":{"name":"kim","age":null},"more":{"x":{"name":"lee","tags":["a"]}}}"#
        let body = Body(login: Login(name: "kim"), more: ["x": Login(name: "lee", tags: ["a"])])
        #expect(try decode(Body.self, text) == body)
    }

    @Test(arguments: [
        (#"{}"#, #"missing member "login" at the top level"#),
        (#"{"login":{}}"#, #"missing member "name" at /login"#),
        (#"{"login":{"name":7}}"#, "expected a string, found a number at /login/name"),
        (#"{"login":{"name":null}}"#, "expected a string, found null at /login/name"),
        (#"{"login":[]}"#, "expected an object, found an array at /login"),
        (#"{"login":"name"}"#, "expected an object, found a string at /login"),
        (#"{"login":{"name":"a","age":"7"}}"#, "expected an integer, found a string at /login/age"),
        (#"{"login":{"name":"a","age":true}}"#, "expected an integer, found a boolean at /login/age"),
        (#"{"login":{"name":"a","tags":{}}}"#, "expected an array, found an object at /login/tags"),
        (#"{"login":{"name":"a","tags":["b",{}]}}"#, "expected a string, found an object at /login/tags/1"),
        (
            #"{"login":{"name":"a","pasword":"b"}}"#,
            #"unknown member "pasword"; expected "name", "age", "tags" at /login"#
        ),
        (#"{"login":{"name":"a"},"x":1}"#, #"unknown member "x"; expected "login", "more" at the top level"#),
        (#"{"login":{"name":"a"},"more":{"a/b":{"name":1}}}"#, "expected a string, found a number at /more/a~1b/name"),
        (#"{"login":{"name":"a"},"more":"a"}"#, "expected an object, found a string at /more"),
    ])
    func `a value of the wrong type is refused, with its place in the document`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try decode(Body.self, text) } == error)
    }

    @Test func `the place in an error counts from the document's root, even if only a part is decoded`() throws {
        let event = try #require(try parse(#"{"screen":1,"event":[0,{"name":2}]}"#)[member: "event"])
        let login = try #require(event.elements.map(\.self).last)
        #expect(
            sentence { () throws(JSONError) in try login.decode(Login.self) }
                == "expected a string, found a number at /event/1/name")
        #expect(try event.elements.map(\.self).first?.decode(Int.self) == 0)
    }

    @Test(arguments: [
        (#"{"int8":128}"#, "expected an integer from -128 to 127, found 128 at /int8"),
        (#"{"int8":-129}"#, "expected an integer from -128 to 127, found -129 at /int8"),
        (#"{"byte":-1}"#, "expected an integer from 0 to 255, found -1 at /byte"),
        (
            #"{"word":18446744073709551616}"#,
            "expected an integer from 0 to 18446744073709551615, found 18446744073709551616 at /word"
        ),
        (#"{"int8":1.5}"#, "expected a whole number, found 1.5 at /int8"),
        (#"{"int8":1e-1}"#, "expected a whole number, found 1e-1 at /int8"),
        (#"{"int8":1e3}"#, "expected an integer from -128 to 127, found 1e3 at /int8"),
        (#"{"double":"1"}"#, "expected a number, found a string at /double"),
        (
            #"{"double":1e999}"#,
            "expected a number from -1.7976931348623157e+308 to 1.7976931348623157e+308, found 1e999 at /double"
        ),
        (#"{"float":1e39}"#, "expected a number from -3.4028235e+38 to 3.4028235e+38, found 1e39 at /float"),
    ])
    func `a number out of range is refused`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try decode(Numbers.self, text) } == error)
    }

    @Test func `numbers are exact up to the limits of their types`() throws {
        let text = """
            {"int8":-128,"byte":255,"word":18446744073709551615,"long":-9223372036854775808,"double":1e308,"float":0.1}
            """
        let numbers = try decode(Numbers.self, text)
        #expect(numbers.int8 == -128 && numbers.byte == 255)
        #expect(numbers.word == UInt64.max && numbers.long == Int64.min)
        #expect(numbers.double == 1e308 && numbers.float == 0.1)
        #expect(try decode(Double.self, "12") == 12)
        #expect(try decode(Double.self, "1e-999") == 0)
    }

    @Test(arguments: ["1", "\"true\"", "null", "[]", "{}"])
    func `a Boolean can be decoded only from true and false`(text: String) {
        #expect(throws: JSONError.self) { try decode(Bool.self, text) }
    }

    @Test func `a type without members can be decoded only from an empty object`() throws {
        _ = try decode(Options.self, "{}")
        _ = try decode(Options?.self, "{}")
        for text in [#"{"x":1}"#, "5", #""x""#, "[]", "null"] {
            #expect(throws: JSONError.self) { try decode(Options.self, text) }
        }
        #expect(
            sentence { () throws(JSONError) in try decode([Options?].self, #"[null,{"x":1}]"#) }
                == #"unknown member "x" at /1"#)
    }

    @Test func `if a type's init(from:) throws an error, the error's message is kept`() {
        #expect(
            sentence { () throws(JSONError) in try decode([String: [Even]].self, #"{"a":[2,3]}"#) }
                == "expected an even number at /a/1")
        #expect(
            sentence { () throws(JSONError) in try decode([Shout].self, #"["a!","b"]"#) } == "expected a shout at /1")
    }

    @Test func `an array with surplus or missing elements is refused`() throws {
        let point = try decode(Point.self, "[1,2]")
        #expect(point.x == 1 && point.y == 2)
        #expect(
            sentence { () throws(JSONError) in try decode([Point].self, "[[1,2,3]]") }
                == "expected 2 elements, found 3 at /0")
        #expect(
            sentence { () throws(JSONError) in try decode([Point].self, "[[1]]") }
                == "expected more than 1 elements at /0")
    }

    @Test func `a type whose decoding of a value fails may try to decode another type`() throws {
        #expect(try decode(Lenient.self, #"{"value":7}"#).value == 7)
        #expect(try decode(Lenient.self, #"{"value":[7,7]}"#).value == 2)
        #expect(
            sentence { () throws(JSONError) in try decode(Lenient.self, #"{"value":["a"]}"#) }
                == "expected an integer, found a string at /value/0")
    }

    @Test func `a string cannot be decoded as a struct or as a dictionary`() {
        for error in [
            sentence { () throws(JSONError) in try decode([String: Int].self, #""a""#) },
            sentence { () throws(JSONError) in try decode(Numbers.self, #""a""#) },
            sentence { () throws(JSONError) in try decode(Login.self, #""a""#) },
        ] { #expect(error == "expected an object, found a string at the top level") }
    }
}
