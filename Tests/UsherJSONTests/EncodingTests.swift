import Testing
import UsherJSON

private struct User: Codable, Equatable {
    var name: String
    var age: Int?
    var tags: [String: [Int]] = [:]
}

private enum Event: Codable, Equatable {
    case close
    case search(work: String, page: Int?)
    case pair(String, User)
}

private struct Everything: Codable, Equatable {
    var smallest = Int64.min
    var largest = UInt64.max
    var byte: UInt8 = 255
    var half = 0.5
    var tenth: Float = 0.1
    var tiny = Double.leastNonzeroMagnitude
    var vast = Double.greatestFiniteMagnitude
    var minusZero = -0.0
    var yes = true
    var nothing: Int?
    var list: [Int?] = [1, nil, 3]
    var nested: [[[String]]] = [[], [[]], [["a", "b"], ["c"]]]
    var events: [Event] = [.close, .search(work: "x", page: nil), .pair("p", User(name: "u"))]
    var numbers: [Int: Bool] = [2: true, 10: false]
    var set: Set<String> = ["b", "a"]
}

private struct Nothing: Codable, Equatable {}

private class Animal: Codable {
    var legs = 4
}

private final class Dog: Animal {
    var name = "Rex"
    private enum CodingKeys: CodingKey { case name }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try super.encode(to: container.superEncoder())
        try container.encode(name, forKey: .name)
    }
}

private final class Cat: Animal {
    var name = "Tom"
    private enum CodingKeys: CodingKey { case name }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}

@Suite struct EncodingTests {
    private func roundTrip<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
        #expect(try encode(value) == text)
        #expect(try decode(Value.self, text) == value)
    }

    @Test func `a struct has the same value after encoding and decoding it`() throws {
        try roundTrip(
            User(name: "kim", age: nil, tags: ["b": [1, 2], "a": []]), #"{"name":"kim","tags":{"a":[],"b":[1,2]}}"#)
    }

    @Test func `enum cases have Swift's standard encoding`() throws {
        try roundTrip(Event.close, #"{"close":{}}"#)
        try roundTrip(Event.search(work: "iOS", page: nil), #"{"search":{"work":"iOS"}}"#)
        try roundTrip(Event.pair("a", User(name: "b")), #"{"pair":{"_0":"a","_1":{"name":"b","tags":{}}}}"#)
    }

    @Test func `empty types, empty collections and single values are encoded`() throws {
        try roundTrip(Nothing(), "{}")
        try roundTrip([Nothing(), Nothing()], "[{},{}]")
        try roundTrip([Int](), "[]")
        try roundTrip([String: Int](), "{}")
        try roundTrip("text", #""text""#)
        try roundTrip(true, "true")
        try roundTrip(-7, "-7")
        try roundTrip(1.5, "1.5")
        try roundTrip(Int?.none, "null")
        try roundTrip(["a": Int?.none], #"{"a":null}"#)
    }

    @Test func `each supported type's value is the same after encoding and decoding it`() throws {
        let everything = Everything()
        #expect(try decode(Everything.self, encode(everything)) == everything)
    }

    @Test(arguments: [
        (1.0, "1"), (-1.0, "-1"), (100.0, "100"), (0.1, "0.1"), (1e16, "1e+16"), (1e-5, "1e-05"), (-0.0, "-0"),
        (12345.678, "12345.678"),
    ])
    func `a floating-point number is written with the fewest digits`(number: Double, text: String) throws {
        try roundTrip(number, text)
    }

    @Test(arguments: [
        0, 9, 10, 99, 100, 101, 1000, 12_345_678_901, Int.max, -1, -10, Int.min,
    ])
    func `an integer is written with all its digits`(number: Int) throws {
        try roundTrip(number, String(number))
    }

    @Test func `a class may encode its superclass as a member, or among its own members`() throws {
        #expect(try encode(Dog()) == #"{"super":{"legs":4},"name":"Rex"}"#)
        #expect(try decode(Dog.self, #"{"super":{"legs":3},"name":"Rex"}"#).legs == 3)
        #expect(try encode(Cat()) == #"{"legs":4,"name":"Tom"}"#)
        #expect(try decode(Cat.self, #"{"legs":3,"name":"Tom"}"#).legs == 3)
        #expect(
            sentence { () throws(JSONError) in try decode(Cat.self, #"{"legs":3,"name":"Tom","tail":1}"#) }
                == #"unknown member "tail"; expected "name", "legs" at the top level"#)
        #expect(
            sentence { () throws(JSONError) in try decode(Dog.self, #"{"name":"Rex"}"#) }
                == #"missing member "super" at the top level"#)
    }

    @Test func `a parsed value is written on one line, and its numbers are unchanged`() throws {
        let text = #"{"a":[],"b\u0020":[1.0,{"c":null},"  \n"],"":{},"d":-0.5e3,"e":false}"#
        var writer = JSONWriter()
        writer.value(try parse(text.replacing(":", with: "\t:\r\n ").replacing(",", with: " ,\n")))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text.replacing(#"\u0020"#, with: " "))
    }

    @Test func `a writer appends each value to the text that it has already written`() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("list")
        writer.beginArray()
        try writer.encode(Event.close)
        try writer.encode([1: 2])
        writer.integer(UInt8(3))
        writer.boolean(false)
        writer.null()
        writer.raw([UInt8](#"{"a":[]}"#.utf8))
        writer.raw([UInt8]("xx12".utf8)[2...])
        writer.beginObject()
        writer.endObject()
        writer.endArray()
        writer.key("b")
        writer.string("c")
        writer.endObject()
        let text = #"{"list":[{"close":{}},{"1":2},3,false,null,{"a":[]},12,{}],"b":"c"}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }
}
