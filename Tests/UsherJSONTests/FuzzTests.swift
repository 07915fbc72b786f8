import SeededRandom
import Testing
import UsherJSON

private indirect enum Tree: Equatable {
    case object([[UInt8]: Tree])
    case array([Tree])
    case string([UInt8])
    case other([UInt8])

    init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            self = .object(
                Dictionary(value.members.map { (Array($0.name.utf8), Tree($0.value)) }, uniquingKeysWith: { $1 }))
        case .array: self = .array(value.elements.map(Tree.init))
        case .string: self = .string(Array((value.string ?? "").utf8))
        case .number, .boolean, .null: self = .other(Array(value.bytes))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ value: JSONValue) {
        switch value.kind {
        case .object:
            beginObject()
            for (name, value) in value.members {
                key(name)
                write(value)
            }
            endObject()
        case .array:
            beginArray()
            for element in value.elements { write(element) }
            endArray()
        case .string: string(value.string ?? "")
        case .number, .boolean, .null: raw(value.bytes)
        }
    }
}

private enum Event: Codable {
    case close
    case login(name: String, flags: [String: Bool]?)
    case nested(Int?, [Double])
}

private struct Body: Codable {
    var screen: Int?
    var event: Event?
    var list: [Body]?
}

/// Tests with thousands of texts that are almost JSON.
@Suite struct FuzzTests {
    private static let seeds = [
        #"{"screen":4,"event":{"login":{"name":"kim \u00e9\ud83d\ude00","flags":{"a":true,"b":false}}}}"#,
        #"{"event":"close","list":[{"screen":-0},{"event":{"nested":{"_0":null,"_1":[1.5e3,-2,0.1E-2]}}}]}"#,
        "[null,true,false,\"\u{E9}\u{1F600}\\n\\\\\",[[],{}], {\"\" : [ 1 ,\t2 ]\r\n}]",
        #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":{"a":1}}"#,
    ]

    private func mutate(_ text: inout [UInt8], _ generator: inout SplitMix64) {
        let letters = Array("{}[]\",:\\u0019eE+-.dDcC \ntfn".utf8) + [0, 0x1F, 0x80, 0xBF, 0xC3, 0xED, 0xF0, 0xFF]
        let position = Int.random(in: 0..<text.count, using: &generator)
        let letter = letters.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: text[position] = letter
        case 1: text.insert(letter, at: position)
        case 2: text.remove(at: position)
        case 3: text.removeSubrange(position..<min(text.count, position + 8))
        default: text.insert(contentsOf: text[position..<min(text.count, position + 12)], at: position)
        }
        if text.isEmpty { text = [letter] }
    }

    @Test(arguments: 0..<4)
    func `a mutated document that can be read is the same after writing and reading it`(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        var read = 0
        for _ in 0..<5000 {
            var text = Array(Self.seeds[seed].utf8)
            for _ in 0...Int.random(in: 0..<3, using: &generator) { mutate(&text, &generator) }
            guard let document = try? JSONDocument(parsing: text) else { continue }
            read += 1
            var writer = JSONWriter()
            writer.write(document.root)
            let again = try JSONDocument(parsing: writer.bytes)
            #expect(Tree(again.root) == Tree(document.root))
            if let body = try? document.root.decode(Body.self) {
                let text = try encode(body)
                #expect(try encode(decode(Body.self, text)) == text)
            }
        }
        #expect(read > 100)
    }

    @Test func `every incomplete prefix of a document is refused`() {
        for seed in Self.seeds {
            let text = Array(seed.utf8)
            for end in 0..<text.count {
                #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(text[..<end])) }
            }
        }
    }
}
