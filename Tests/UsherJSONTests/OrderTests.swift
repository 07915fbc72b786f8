import Testing
import UsherJSON

private enum Color: String, Codable, CaseIterable { case red, green, blue }

private enum Size: String, Codable, CaseIterable, CodingKeyRepresentable { case small, large }

private struct Wrapper: Encodable {
    var values: [String: Int]

    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

private struct Same: Hashable, Encodable, CodingKeyRepresentable {
    var number: Int
    var codingKey: any CodingKey { "same".codingKey }

    init(_ number: Int) { self.number = number }
    init?<Key: CodingKey>(codingKey: Key) { nil }
}

/// Tests that equal values have equal bytes.
@Suite struct OrderTests {
    @Test func `the members of a dictionary are sorted by the bytes of their names`() throws {
        let names = [
            "", " ", "a", "a b", "a!", "aa", "b", "B", "Z", "\u{E9}", "\u{1F600}", "\u{FFFD}", "10", "9", "\"",
        ]
        let sorted = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let text = try encode(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }))
        // The quotation mark is sorted by its escape.
        let written = try parse(text).members.map(\.name)
        #expect(written.filter { $0 != "\"" } == sorted.filter { $0 != "\"" })
    }

    @Test func `equal dictionaries and sets have the same encoding, however they were built`() throws {
        for count in [2, 3, 17, 100] {
            var grown: [String: Set<Int>] = [:]
            for number in 0..<count { grown["key\(number)"] = Set(0..<number) }
            var shrunk: [String: Set<Int>] = [:]
            shrunk.reserveCapacity(10 * count)
            for number in (0..<2 * count).reversed() { shrunk["key\(number)"] = Set((0..<number).reversed()) }
            for number in count..<2 * count { shrunk["key\(number)"] = nil }
            #expect(try encode(grown) == encode(shrunk))
            #expect(try encode([grown: [grown]]) == encode([shrunk: [shrunk]]))
            #expect(try encode(Optional(grown)) == encode(shrunk))
            #expect(try decode([String: Set<Int>].self, encode(grown)) == grown)
        }
    }

    @Test func `elements of sets, and dictionary keys of types other than String, are sorted too`() throws {
        #expect(try encode([3: "c", 10: "j", 1: "a"]) == #"{"1":"a","10":"j","3":"c"}"#)
        #expect(try encode([Color.red: 1, .green: 2, .blue: 3]) == #"["blue",3,"green",2,"red",1]"#)
        #expect(try encode([Size.small: 1, .large: 2]) == #"{"large":2,"small":1}"#)
        #expect(try encode([true: Color.red, false: .blue]) == #"[false,"blue",true,"red"]"#)
        #expect(try encode(Set([30, 4, 200])) == "[200,30,4]")
        #expect(try encode([Set(["b", "a"]): 1]) == #"[["a","b"],1]"#)
    }

    @Test func `a dictionary is sorted even if its owner passes its own encoder to the dictionary`() throws {
        let wrapper = Wrapper(values: Dictionary(uniqueKeysWithValues: (0..<50).map { (String(100 + $0), $0) }))
        let names = try parse(encode(["w": [wrapper]])).root(["w"]).elements.flatMap { $0.members.map(\.name) }
        #expect(names == names.sorted())
        #expect(names.count == 50)
    }

    @Test func `elements of arrays and members of structs keep their order`() throws {
        #expect(try encode([3, 1, 2]) == "[3,1,2]")
        #expect(try encode(["b", "a"]) == #"["b","a"]"#)
    }

    @Test func `a dictionary with two keys that have the same encoding is refused`() {
        #expect(
            sentence { () throws(JSONError) in try encode(["d": [Same(1): 1, Same(2): 2]]) }
                == #"duplicate member "same" at /d"#)
    }
}

extension JSONValue {
    fileprivate func root(_ names: [String]) -> JSONValue {
        names.reduce(self) { value, name in value[member: name] ?? value }
    }
}
