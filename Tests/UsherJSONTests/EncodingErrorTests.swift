import Testing
import UsherJSON

/// A value that is encoded by a test's closure.
private struct Custom: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private enum Key: String, CodingKey { case a, b, c }

private struct Rude: Error, CustomStringConvertible {
    var description: String { "no manners" }
}

private indirect enum Nest: Encodable {
    case end
    case more(Nest)

    func encode(to encoder: any Encoder) throws {
        guard case .more(let inner) = self else { return try [Int]().encode(to: encoder) }
        var container = encoder.unkeyedContainer()
        try container.encode(inner)
    }
}

private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

private struct Points: Encodable { var list: [[String: Double]] }

/// Tests that a type's mistakes are reported, and that the text stays valid.
@Suite struct EncodingErrorTests {
    private func sentence(_ body: @escaping (any Encoder) throws -> Void) -> String {
        UsherJSONTests.sentence { () throws(JSONError) in try encode(Custom(body: body)) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `encoding an infinite or undefined number fails, and the writer keeps its previous content`(number: Double)
        throws
    {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(1)
        let before = writer.bytes
        let points = Points(list: [["x": 1], ["x": 1, "y": number]])
        let error = #expect(throws: JSONError.self) { try writer.encode(points) }
        #expect(error?.description == "the number \(number) cannot be written as JSON at /list/1/y")
        #expect(writer.bytes == before)
        try writer.encode(2)
        writer.endArray()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1,2]")
    }

    @Test func `encoding fails if the type writes nothing`() {
        #expect(sentence { _ in } == "Custom encodes nothing at the top level")
        #expect(sentence { _ = $0.singleValueContainer() } == "Custom encodes nothing at the top level")
        #expect(
            sentence {
                var container = $0.container(keyedBy: Key.self)
                try container.encode(Custom { _ in }, forKey: .b)
            } == "Custom encodes nothing at /b")
    }

    @Test func `a container without members is written as an empty object or array`() throws {
        #expect(try encode(Custom { _ = $0.container(keyedBy: Key.self) }) == "{}")
        #expect(try encode(Custom { _ = $0.unkeyedContainer() }) == "[]")
        let custom = Custom {
            var container = $0.container(keyedBy: Key.self)
            _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            _ = container.nestedUnkeyedContainer(forKey: .b)
            _ = container.superEncoder(forKey: .c)
            var list = container.nestedUnkeyedContainer(forKey: .c)
            _ = list.nestedContainer(keyedBy: Key.self)
            _ = list.superEncoder()
            _ = list.nestedUnkeyedContainer()
            try list.encodeNil()
            try #require(list.count == 4)
        }
        #expect(try encode(custom) == #"{"a":{},"b":[],"c":{},"c":[{},{},[],null]}"#)
    }

    @Test func `nested containers are written in order`() throws {
        let custom = Custom {
            var object = $0.container(keyedBy: Key.self)
            var inner = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try inner.encode(1, forKey: .a)
            var list = inner.nestedUnkeyedContainer(forKey: .b)
            try list.encode("x")
            try list.encode([true])
            try inner.encodeNil(forKey: .c)
            try object.encode(Float(2.5), forKey: .b)
        }
        #expect(try encode(custom) == #"{"a":{"a":1,"b":["x",[true]],"c":null},"b":2.5}"#)
    }

    @Test func `encoding fails if a type writes alternately to two sibling containers`() {
        let outOfTurn =
            "a value was written out of turn: finish a container before you begin another container beside it"
        #expect(
            sentence {
                var object = $0.container(keyedBy: Key.self)
                var first = object.nestedContainer(keyedBy: Key.self, forKey: .a)
                var second = object.nestedContainer(keyedBy: Key.self, forKey: .b)
                try second.encode(1, forKey: .a)
                try first.encode(2, forKey: .a)
            } == outOfTurn + " at /b/a")
        #expect(
            sentence {
                var value = $0.singleValueContainer()
                try value.encode(1)
                try value.encode(2)
            } == outOfTurn + " at the top level")
        #expect(
            sentence {
                _ = $0.container(keyedBy: Key.self)
                _ = $0.unkeyedContainer()
            } == outOfTurn + " at the top level")
        #expect(
            sentence {
                var object = $0.container(keyedBy: Key.self)
                let late = object.superEncoder(forKey: .a)
                try object.encode(1, forKey: .b)
                _ = late.container(keyedBy: Key.self)
            } == outOfTurn + " at /b")
    }

    @Test func `if a type's encode(to:) throws an error, the error's message is kept`() {
        #expect(
            sentence {
                var object = $0.container(keyedBy: Key.self)
                try object.encode(Custom { _ in throw Rude() }, forKey: .c)
            } == "no manners at /c")
        #expect(
            sentence {
                let context = EncodingError.Context(codingPath: $0.codingPath, debugDescription: "too odd")
                throw EncodingError.invalidValue(1, context)
            } == "too odd at the top level")
    }

    @Test func `an encoding error is reported even if the type's encode(to:) catches it`() {
        #expect(
            sentence {
                var object = $0.container(keyedBy: Key.self)
                try? object.encode(Double.nan, forKey: .a)
                try? object.encode(1, forKey: .b)
            } == "the number nan cannot be written as JSON at /a")
    }

    @Test func `an encoder knows the coding path of its value`() throws {
        var path: [String] = []
        let custom = Custom {
            var object = $0.container(keyedBy: Key.self)
            var list = object.nestedUnkeyedContainer(forKey: .b)
            try list.encode(1)
            let probe = Custom { encoder in
                path = encoder.codingPath.map(\.stringValue)
                var value = encoder.singleValueContainer()
                try value.encode("here")
            }
            try list.encode(probe)
        }
        #expect(try encode(custom) == #"{"b":[1,"here"]}"#)
        #expect(path == ["b", "1"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `encoding more than 64 levels of nesting fails`() throws {
        func nest(_ levels: Int) -> Nest { (1..<levels).reduce(.end) { nest, _ in .more(nest) } }
        let deepest = try encode(nest(64))
        #expect(deepest == String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
        let error = #expect(throws: JSONError.self) { try encode(nest(65)) }
        #expect(error?.reason == "more than 64 levels of nesting")
        #expect(throws: JSONError.self) { try encode(nest(5000)) }
        #expect(throws: JSONError.self) { try encode(Endless()) }
    }
}
